"""Uses the client of openapi-python-client. Prints what test/sdk/answers.ts expects."""

import json
import os
from datetime import datetime

from tracefold import AuthenticatedClient
from tracefold.api.integrations import create_integration, get_integration, update_integration
from tracefold.api.messages import search_messages
from tracefold.api.services import get_widget_data
from tracefold.models import (
    Integration,
    IntegrationCreate,
    IntegrationUpdate,
    MatcherInput,
    MatcherOperator,
    MessagePage,
    MessageSearch,
    MessageValueRow,
    MessageValueRowOperator,
    Problem,
    WidgetTable,
)

TENANT = 16_777_217
WINDOW_FROM = datetime.fromisoformat(os.environ["WINDOW_FROM"])
WINDOW_TO = datetime.fromisoformat(os.environ["WINDOW_TO"])

client = AuthenticatedClient(base_url=os.environ["TRACEFOLD_URL"], token=os.environ["TRACEFOLD_TOKEN"])
with client as client:
    row = MessageValueRow(attribute_key="tenant.id", operator=MessageValueRowOperator.EQ, value=TENANT)
    search = MessageSearch(from_=WINDOW_FROM, to=WINDOW_TO, rows=[row])
    page = search_messages.sync(client=client, body=search)
    assert isinstance(page, MessagePage), page

    matcher = MatcherInput(
        service="storefront", attribute_key="tenant.id", operator=MatcherOperator.EQUALS, value=TENANT
    )
    create = IntegrationCreate(name=os.environ["INTEGRATION_NAME"], matchers=[matcher])
    made = create_integration.sync(client=client, body=create)
    assert isinstance(made, Integration), made
    read = get_integration.sync(made.id, client=client)
    assert isinstance(read, Integration), read
    update = IntegrationUpdate.from_dict(read.to_dict())
    changed = update_integration.sync(made.id, client=client, body=update)
    assert isinstance(changed, Integration), changed
    [condition] = changed.matchers

    widget = get_widget_data.sync("storefront", "core.spans", client=client, from_=WINDOW_FROM, to=WINDOW_TO)
    assert isinstance(widget, WidgetTable), widget

    problem = search_messages.sync(client=client, body=MessageSearch(from_=WINDOW_TO, to=WINDOW_FROM))
    assert isinstance(problem, Problem), problem

print(
    json.dumps(
        {
            "found": [message.trace_id for message in page.messages],
            "integration": [condition.operator.value, condition.value, changed.version],
            "widget": widget.rows[0][0],
            "problem": [problem.code.value, problem.status, problem.errors[0].pointer],
        }
    )
)
