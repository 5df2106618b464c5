"""Uses the Python client of openapi-generator. Prints what test/sdk/answers.ts expects."""

import json
import os
from datetime import datetime

from tracefold import ApiClient, ApiException, Configuration
from tracefold.api import IntegrationsApi, MessagesApi, ServicesApi
from tracefold.models import (
    AlertRuleUpdate,
    ConditionValue,
    IntegrationCreate,
    IntegrationUpdate,
    MatcherInput,
    MessageRow,
    MessageSearch,
    MessageValueRow,
    Problem,
)

TENANT = 16_777_217
WINDOW_FROM = datetime.fromisoformat(os.environ["WINDOW_FROM"])
WINDOW_TO = datetime.fromisoformat(os.environ["WINDOW_TO"])

configuration = Configuration(host=os.environ["TRACEFOLD_URL"], access_token=os.environ["TRACEFOLD_TOKEN"])
with ApiClient(configuration) as client:
    row = MessageValueRow(attribute_key="tenant.id", operator="eq", value=ConditionValue(TENANT))
    search = MessageSearch(var_from=WINDOW_FROM, to=WINDOW_TO, rows=[MessageRow(row)])
    page = MessagesApi(client).search_messages(search)

    integrations = IntegrationsApi(client)
    matcher = MatcherInput(service="storefront", attribute_key="tenant.id", operator="equals", value=TENANT)
    made = integrations.create_integration(
        IntegrationCreate(name=os.environ["INTEGRATION_NAME"], matchers=[matcher, MatcherInput(service="payment")])
    )
    read = integrations.get_integration(made.id)
    changed = integrations.update_integration(made.id, IntegrationUpdate.from_json(read.to_json()))
    [condition, _] = changed.matchers
    renaming = AlertRuleUpdate(name="Renamed").to_dict()
    assert renaming == {"name": "Renamed"}, renaming

    widget = ServicesApi(client).get_widget_data("storefront", "core.spans", var_from=WINDOW_FROM, to=WINDOW_TO)

    try:
        MessagesApi(client).search_messages(MessageSearch(var_from=WINDOW_TO, to=WINDOW_FROM))
        raise SystemExit("an empty window was accepted")
    except ApiException as error:
        problem = Problem.from_json(error.body)

print(
    json.dumps(
        {
            "found": [message.trace_id for message in page.messages],
            "integration": [condition.operator, condition.value.actual_instance, changed.version],
            "widget": widget.actual_instance.rows[0][0],
            "problem": [problem.code, problem.status, problem.errors[0].pointer],
        }
    )
)
