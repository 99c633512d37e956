"""Drives one simulated device with tinytuya and prints one JSON object a line: the step and what tinytuya saw.

Arguments: device id, address, port, local key, protocol version, device type (`default` or `device22`).
After "waiting" it expects that the device reports data point 20 as false by itself.
"""
import json
import sys

import tinytuya


def tell(step, seen=None):
    print(json.dumps({"step": step, "seen": seen}), flush=True)


device_id, address, port, key, version, device_type = sys.argv[1:]
device = tinytuya.Device(
    device_id, address, key, dev_type=device_type, version=float(version), port=int(port),
    connection_timeout=2, connection_retry_limit=2, persist=True,
)
if device_type == "device22":
    device.set_dpsUsed({"20": None, "22": None})

tell("status", device.status().get("dps"))
device.set_value(22, 500)
tell("set", device.status().get("dps", {}).get("22"))
device.set_multiple_values({"22": 20, "21": "colour"})
tell("set several", device.status().get("dps"))
device.heartbeat(nowait=False)
tell("heartbeat")
while device.receive() is not None:
    pass
tell("waiting")
report = None
for _ in range(5):
    report = device.receive()
    if report and (report.get("dps") or {}).get("20") is False:
        break
tell("report", (report or {}).get("dps"))
