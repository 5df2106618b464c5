import com.google.gson.Gson;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.IntegrationsApi;
import org.openapitools.client.api.MessagesApi;
import org.openapitools.client.api.ServicesApi;
import org.openapitools.client.model.*;

/** Uses the Java client of openapi-generator. Prints what test/sdk/answers.ts expects. */
public class OpenapiGenerator {
  private static final int TENANT = 16_777_217;

  public static void main(String[] args) throws Exception {
    OffsetDateTime from = OffsetDateTime.parse(System.getenv("WINDOW_FROM"));
    OffsetDateTime to = OffsetDateTime.parse(System.getenv("WINDOW_TO"));
    ApiClient client = new ApiClient().setBasePath(System.getenv("TRACEFOLD_URL"));
    client.setBearerToken(System.getenv("TRACEFOLD_TOKEN"));

    MessagesApi messages = new MessagesApi(client);
    MessageValueRow row = new MessageValueRow()
        .attributeKey("tenant.id")
        .operator(MessageValueRow.OperatorEnum.EQ)
        .value(new ConditionValue((double) TENANT));
    MessagePage page = messages.searchMessages(
        new MessageSearch().from(from).to(to).addRowsItem(new MessageRow(row)));
    List<String> found = page.getMessages().stream().map(Message::getTraceId).toList();

    IntegrationsApi integrations = new IntegrationsApi(client);
    MatcherInput matcher = new MatcherInput()
        .service("storefront")
        .attributeKey("tenant.id")
        .operator(MatcherOperator.EQUALS)
        .value(TENANT);
    Integration made = integrations.createIntegration(
        new IntegrationCreate().name(System.getenv("INTEGRATION_NAME")).addMatchersItem(matcher));
    Integration read = integrations.getIntegration(made.getId());
    Integration changed = integrations.updateIntegration(
        made.getId(), IntegrationUpdate.fromJson(read.toJson()), null);
    Matcher condition = changed.getMatchers().get(0);
    String renaming = new AlertRuleUpdate().name("Renamed").toJson();
    if (!renaming.equals("{\"name\":\"Renamed\"}")) throw new IllegalStateException("an update sends more: " + renaming);

    WidgetData widget = new ServicesApi(client).getWidgetData("storefront", "core.spans", from, to, null);

    Problem problem;
    try {
      messages.searchMessages(new MessageSearch().from(to).to(from));
      throw new IllegalStateException("an empty window was accepted");
    } catch (ApiException error) {
      problem = Problem.fromJson(error.getResponseBody());
    }

    Number value = (Number) condition.getValue().getActualInstance();
    System.out.println(new Gson().toJson(Map.of(
        "found", found,
        "integration", List.of(condition.getOperator().getValue(), value.longValue(), changed.getVersion()),
        "widget", widget.getWidgetTable().getRows().get(0).get(0),
        "problem", List.of(
            problem.getCode().getValue(), problem.getStatus(), problem.getErrors().get(0).getPointer()))));
    // The connection pool of the client would keep the process for another minute.
    System.exit(0);
  }
}
