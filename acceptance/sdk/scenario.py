"""What the Python client does. Prints its results as JSON."""

import json
import sys
import threading

import portico as client
from portico import Portico

site = Portico().site()
results = {}

# Several clients and threads, one token.
lengths = []


def read():
    mine = Portico().site()
    lengths.append(len(list(mine.spaces(limit=30))))


threads = [threading.Thread(target=read) for _ in range(20)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
results["threads"] = [len(lengths), len(set(lengths))]

space = next(site.spaces(metricType="electricity"))
hourly = site.space_hourly(space["spaceUuid"], "electricity", interval="PT30M")
batch = site.aggregate_hourly(["electricity"], spaceUuids=[space["spaceUuid"]])
results["hours"] = len(hourly["timeSeries"])
results["batch"] = len(batch["series"][0]["values"])
results["latest"] = len(site.latest(metricTypes=["temperature"])) > 0

valves = site.devices(deviceType="trv", status="online")
command = site.schedule(next(valves)["deviceUuid"], {"type": "resume"})
results["state"] = site.wait(command)["state"]

rejecting = next(valves)["deviceUuid"]
site.simulate(rejecting, "reject")
try:
    site.wait(site.schedule(rejecting, {"type": "boost", "durationMinutes": 30}))
except client.CommandFailedError as error:
    results["rejected"] = error.code

slow = next(valves)["deviceUuid"]
site.simulate(slow, "delay", delaySeconds=600)
late = site.schedule(slow, {"type": "boost", "durationMinutes": 30})
try:
    site.wait(late, timeout=1.2)
except client.WaitTimeoutError as error:
    results["cancelled"] = site.cancel(error.command)["state"]

commands = {"deviceUuid": late["deviceUuid"], "types": "command.updated"}
numbers = [event["number"] for event in site.events(limit=1, **commands)]
results["events"] = len(numbers) >= 2 and numbers == sorted(set(numbers))
followed = site.follow_events(after=numbers[0], **commands)
results["followed"] = [next(followed)["data"]["command"]["state"] for _ in range(len(numbers) - 1)][-1]
site.schedule(slow, {"type": "boost", "durationMinutes": 30})
results["next"] = next(followed)["data"]["command"]["state"]

for name, call in {
    "missing": lambda: site.device("00000000-0000-4000-8000-000000000000"),
    "invalid": lambda: list(site.spaces(limit=100000)),
    "secret": lambda: Portico(client_secret="wrong").account(),
    "configuration": lambda: Portico(client_secret="00000000-0000-4000-8000-000000000000"),
}.items():
    try:
        call()
    except client.PorticoError as error:
        results[name] = [type(error).__name__, error.code]

signed = json.loads(sys.argv[1])
results["event"] = client.verify_webhook(signed["body"], signed["headers"], ["whsec_AAAA", signed["secret"]])["type"]
for name, (body, headers) in {
    "forged": (signed["body"] + " ", signed["headers"]),
    "parsed": ({}, signed["headers"]),
    "bare": (signed["body"], {}),
    "old": (signed["body"], {**signed["headers"], "webhook-timestamp": "1614265330"}),
}.items():
    try:
        client.verify_webhook(body, headers, signed["secret"])
    except client.WebhookError as error:
        results[name] = error.code

print(json.dumps(results))
