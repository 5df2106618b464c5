"""Asks the tools for agents with the MCP SDK for Python. Its arguments are the server, a token, and a mode of the client."""

import asyncio
import json
import sys

from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client


async def main(url: str, token: str, mode: str) -> None:
    http = create_mcp_http_client(headers={"authorization": f"Bearer {token}"})
    async with Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client:
        tools = await client.list_tools()
        count = await client.call_tool("count", {"from": "2020-01-01T00:00:00Z"})
        refused = await client.call_tool("count", {"rows": 5})
        answer = {
            "version": client.protocol_version,
            "tools": [tool.name for tool in tools.tools],
            "count": json.loads(count.content[0].text.splitlines()[-1]),
            "refused": refused.content[0].text.splitlines()[0],
        }
        print(json.dumps(answer))


asyncio.run(main(*sys.argv[1:]))
