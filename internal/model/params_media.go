package model

// videoHostedParams are the params of kind video_hosted.
func videoHostedParams() *ObjectType {
	return &ObjectType{
		Name: "VideoHostedParams",
		Doc:  "limits of a video file",
		Fields: withBase([]Field{orientation, aspectRatio}, sizeBounds, []Field{
			durationOpenRange,
			durationExact,
			{Name: "video_codecs", Type: list(oneOf("h264", "h265", "vp8", "vp9", "av1", "prores")),
				Doc: "Accepted video codecs."},
			{Name: "audio_codecs", Type: list(oneOf("aac", "mp3", "opus", "pcm")), Doc: "Accepted audio codecs."},
			containers,
			minBitrate,
			maxBitrate,
			{Name: "max_file_size_mb", Go: "MaxFileSizeMB", Type: positive(), Doc: "Largest file in megabytes."},
			{Name: "frame_rates", Type: list(number()), Doc: "Accepted frame rates in frames per second."},
			{Name: "captions", Type: oneOf("required", "recommended", "not_required"), Doc: "Whether captions must come along."},
			omSDKRequired,
			headlineChars,
			primaryTextChars,
			brandNameChars,
			ctaValues,
			{Name: "companion_banner_widths", Type: list(positive()), Doc: "Accepted widths of a companion banner in pixels."},
			{Name: "companion_banner_heights", Type: list(positive()), Doc: "Accepted heights of a companion banner in pixels."},
		}, production, []Field{
			ctvExperience("screensaver"),
		}),
	}
}

// videoVASTParams are the params of kind video_vast.
func videoVASTParams() *ObjectType {
	return &ObjectType{
		Name: "VideoVASTParams",
		Doc:  "limits of a VAST tag",
		Fields: withBase([]Field{
			orientation,
			aspectRatio,
			{Name: "vast_version", Go: "VASTVersion", Type: oneOf("2.0", "3.0", "4.0", "4.1", "4.2", "4.3"),
				Doc: "Version of VAST the tag must follow."},
			{Name: "vpaid_enabled", Go: "VPAIDEnabled", Type: boolean(), Doc: "Whether VPAID is accepted."},
			{Name: "vpaid_version", Go: "VPAIDVersion", Type: oneOf("1.0", "2.0"), Doc: "Version of VPAID."},
			{Name: "simid_supported", Go: "SIMIDSupported", Type: boolean(), Doc: "Whether SIMID is accepted."},
			durationRange,
			durationExact,
		}, sizeBounds, []Field{
			{Name: "creative_type", Type: oneOf("linear", "nonlinear", "either"),
				Doc: "Whether the ad replaces the program or lies over it."},
			ctvExperience("pause", "screensaver", "overlay", "squeezeback", "in_scene"),
			motionLevel,
			activationMethods,
			linearRequired,
			{Name: "skippable_after_ms", Go: "SkippableAfterMS", Type: count(),
				Doc: "Milliseconds after which viewers may skip."},
			wrapperDepth,
			sslRequired,
		}),
	}
}

// audioHostedParams are the params of kind audio_hosted.
func audioHostedParams() *ObjectType {
	return &ObjectType{
		Name: "AudioHostedParams",
		Doc:  "limits of an audio file",
		Fields: withBase([]Field{
			durationOpenRange,
			durationExact,
			{Name: "audio_codecs", Type: list(oneOf("mp3", "aac", "wav", "opus", "flac")), Doc: "Accepted audio codecs."},
			{Name: "audio_sample_rates", Type: list(positive()), Doc: "Accepted sample rates in hertz, for example 44100."},
			{Name: "audio_channels", Type: list(oneOf("mono", "stereo")), Doc: "Accepted channel layouts."},
			minBitrate,
			maxBitrate,
			{Name: "max_file_size_mb", Go: "MaxFileSizeMB", Type: number(aboveZero), Doc: "Largest file in megabytes."},
			{Name: "loudness_lufs", Go: "LoudnessLUFS", Type: number(), Doc: "Target loudness in LUFS, for example -16."},
			{Name: "loudness_tolerance_db", Go: "LoudnessToleranceDB", Type: number(atLeast(0)),
				Doc: "Accepted distance from the target loudness in decibels."},
			{Name: "true_peak_dbfs", Go: "TruePeakDBFS", Type: number(), Doc: "Highest true peak in dBFS, for example -1."},
		}, production, []Field{
			companionRequired,
			{Name: "companion_image_aspect_ratio", Type: str(), Doc: "Width to height of the companion image, for example 1:1."},
			{Name: "companion_image_max_file_size_kb", Go: "CompanionImageMaxFileSizeKB", Type: positive(),
				Doc: "Largest companion image in kilobytes."},
			brandNameChars,
		}),
	}
}

// audioDAASTParams are the params of kind audio_daast.
func audioDAASTParams() *ObjectType {
	return &ObjectType{
		Name: "AudioDAASTParams",
		Doc:  "limits of a DAAST tag",
		Fields: withBase([]Field{
			{Name: "daast_version", Go: "DAASTVersion", Type: oneOf("1.0", "1.1"), Doc: "Version of DAAST the tag must follow."},
			durationRange,
			durationExact,
			linearRequired,
			wrapperDepth,
			sslRequired,
			companionRequired,
		}),
	}
}
