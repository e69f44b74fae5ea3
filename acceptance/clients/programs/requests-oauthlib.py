import os
import sys

from oauthlib.oauth2 import BackendApplicationClient
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

auth_url = os.environ["AUTH_URL"]
client_id = os.environ["CLIENT_ID"]
client_secret = os.environ["CLIENT_SECRET"]
if auth_url.startswith("http:"):
    os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

session = OAuth2Session(
    client=BackendApplicationClient(client_id=client_id, scope=[f"api://{client_id}/.default"])
)
if "basic" in sys.argv:
    ways = {"auth": HTTPBasicAuth(client_id, client_secret)}
elif "basic-and-client-id" in sys.argv:
    ways = {"auth": HTTPBasicAuth(client_id, client_secret), "include_client_id": True}
else:
    ways = {"client_secret": client_secret, "include_client_id": True}
print(session.fetch_token(f"{auth_url}/oauth2/v2.0/token", **ways)["access_token"])
