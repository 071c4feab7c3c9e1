package deploy

// anyHost is for a folder that a web server serves.
func anyHost(s Site) []Step {
	return []Step{
		s.file("put this file into the folder .well-known at the root of the site, on every domain", ".well-known/"+FileName),
		{Kind: Advice, Do: "serve it over https with status 200 and the content type " + mediaType + "; Cache-Control: " +
			caching + " is a good choice"},
	}
}

func nginx(s Site) []Step {
	const folder = "/etc/nginx/adagents"
	return []Step{
		s.file("store the file on the server", folder+"/"+FileName),
		{Whole, "store the rule that serves it", folder + "/adagents.conf", `location = ` + Path + ` {
    alias ` + folder + `/` + FileName + `;
    types { }
    default_type ` + mediaType + `;
    add_header Cache-Control "` + caching + `";
}
`},
		{Part, "include the rule in the server block of each domain that answers https", "/etc/nginx/sites-available/...", `server {
    listen 443 ssl;
    server_name ` + s.named(" ") + `;
    include ` + folder + `/adagents.conf;
    # what is there already stays
}
`},
		{Kind: Shell, Do: "test the configuration and load it", Text: "nginx -t && systemctl reload nginx\n"},
	}
}

func apache(s Site) []Step {
	const folder = "/var/www/adagents"
	return []Step{
		s.file("store the file on the server", folder+"/"+FileName),
		{Whole, "store the rule, which is for all virtual hosts; where there is no conf-available, the folder is /etc/httpd/conf.d", "/etc/apache2/conf-available/adagents.conf", `Alias "` + Path + `" "` + folder + `/` + FileName + `"
<Directory "` + folder + `">
    Require all granted
</Directory>
<Location "` + Path + `">
    ForceType ` + mediaType + `
    Header set Cache-Control "` + caching + `"
</Location>
`},
		{Kind: Shell, Do: "switch it on, test the configuration and load it",
			Text: "a2enmod alias headers && a2enconf adagents && apachectl configtest && systemctl reload apache2\n"},
		{Part, "without access to the configuration, put the file into the folder .well-known of the site " +
			"and this beside it", ".well-known/.htaccess", `<Files "` + FileName + `">
    ForceType ` + mediaType + `
</Files>
`},
	}
}

func caddy(s Site) []Step {
	const folder = "/etc/caddy/adagents"
	return []Step{
		s.file("store the file on the server", folder+"/"+FileName),
		{Part, "add the rule at the beginning of the Caddyfile", "/etc/caddy/Caddyfile", `(adagents) {
	handle ` + Path + ` {
		root * ` + folder + `
		rewrite * /` + FileName + `
		header Content-Type ` + mediaType + `
		header Cache-Control "` + caching + `"
		file_server
	}
}
`},
		{Part, "import it in the block of each domain", "/etc/caddy/Caddyfile", s.named(", ") + ` {
	import adagents
	# what is there already stays
}
`},
		{Kind: Shell, Do: "test the configuration and load it",
			Text: "caddy validate --config /etc/caddy/Caddyfile && systemctl reload caddy\n"},
	}
}

func wordpress(s Site) []Step {
	return []Step{
		s.file("upload the file with the file manager of the hoster, or SFTP; the folder is next to the themes folder",
			"wp-content/mu-plugins/"+FileName),
		{Whole, "upload the plugin beside it: it needs no activation, and serves the file on all sites of a multisite network", "wp-content/mu-plugins/adagents.php", `<?php
/* Plugin Name: adagents.json */
if (strtok($_SERVER['REQUEST_URI'] ?? '', '?') === '` + Path + `') {
	http_response_code(200);
	header('Content-Type: ` + mediaType + `');
	header('Cache-Control: ` + caching + `');
	readfile(__DIR__ . '/` + FileName + `');
	exit;
}
`},
		{Kind: Advice,
			Do: "where the web server keeps requests below /.well-known/ from WordPress, put the file into the folder " +
				".well-known beside wp-config.php"},
		{Kind: Advice,
			Do: "empty the cache of caching plugins, and let security plugins and the firewall of the hoster pass " + Path},
	}
}
