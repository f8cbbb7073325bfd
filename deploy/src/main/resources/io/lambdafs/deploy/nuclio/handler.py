"""Hands each call on to the instance of λFS in the container beside, and its answer back."""

import http.client
import json
import os

PORT = int(os.environ.get("LAMBDAFS_ACTION_PORT", "8180"))
SECONDS = float(os.environ.get("LAMBDAFS_CALL_SECONDS", "60"))
JSON = "application/json"


def handler(context, event):
    body = event.body
    # Nuclio has parsed what came as JSON.
    if not isinstance(body, (bytes, bytearray)):
        body = (body if isinstance(body, str) else json.dumps(body)).encode()
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=SECONDS)
    try:
        connection.connect()
    except OSError as failure:
        # Nothing was sent: clients try again.
        return answer(context, 503, "the instance does not listen yet: %s" % failure)
    try:
        connection.request("POST", "/", body, {"Content-Type": JSON})
        reply = connection.getresponse()
        return context.Response(
            body=reply.read(), headers={}, content_type=JSON, status_code=reply.status
        )
    except (OSError, http.client.HTTPException) as failure:
        return answer(context, 502, "the instance broke off: %s" % failure)
    finally:
        connection.close()


def answer(context, status, error):
    return context.Response(
        body=json.dumps({"error": error}), headers={}, content_type=JSON, status_code=status
    )
