import os
import sys

import msal

client_id = os.environ["CLIENT_ID"]
app = msal.ConfidentialClientApplication(
    client_id,
    client_credential=os.environ["CLIENT_SECRET"],
    authority=os.environ["AUTH_URL"],
    instance_discovery=False,
)
for _ in range(2 if "twice" in sys.argv else 1):
    result = app.acquire_token_for_client(scopes=[f"api://{client_id}/.default"])
    if "access_token" not in result:
        sys.exit(str(result))
    print(result["access_token"])
