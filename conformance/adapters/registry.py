"""Answers the conformance suite with a registry, over HTTP: python3 registry.py https://registry.example"""
import json
import sys
import urllib.error
import urllib.request


def post(path, body):
    request = urllib.request.Request(sys.argv[1].rstrip("/") + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)


def check(case):
    file = case["files"][0]
    if "text" not in file:
        return {"unsupported": "the route takes text"}
    status, got = post("/api/adagents/validate", {"content": file["text"]})
    return {"answer": {"valid": got["data"]["validation"]["valid"]}} if status == 200 else {"error": str(got)}


def create(case):
    status, got = post("/api/adagents/create", json.loads(case["files"][0]["text"]))
    if status != 200:
        return {"answer": {"created": False}}
    made = json.loads(got["data"]["adagents_json"])
    return {"answer": {"created": True, "authorized_agents": made["authorized_agents"], "properties": made.get("properties")}}


for line in sys.stdin:
    case = json.loads(line)
    answer = {"check": check, "create": create}.get(case["kind"])
    print(json.dumps(answer(case) if answer else {"unsupported": "no route takes the files"}), flush=True)
