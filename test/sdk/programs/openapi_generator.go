// Uses the Go client of openapi-generator. Prints what test/sdk/answers.ts expects.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	tracefold "example.org/tracefold"
)

const tenant = 16777217

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	from := must(time.Parse(time.RFC3339Nano, os.Getenv("WINDOW_FROM")))
	to := must(time.Parse(time.RFC3339Nano, os.Getenv("WINDOW_TO")))
	configuration := tracefold.NewConfiguration()
	configuration.Servers = tracefold.ServerConfigurations{{URL: os.Getenv("TRACEFOLD_URL")}}
	client := tracefold.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), tracefold.ContextAccessToken, os.Getenv("TRACEFOLD_TOKEN"))

	value := float64(tenant)
	row := tracefold.NewMessageValueRow("tenant.id", "eq", tracefold.Float64AsConditionValue(&value))
	search := tracefold.MessageSearch{From: &from, To: &to, Rows: []tracefold.MessageRow{
		tracefold.MessageValueRowAsMessageRow(row),
	}}
	page, _, err := client.MessagesAPI.SearchMessages(ctx).MessageSearch(search).Execute()
	must(page, err)
	found := []string{}
	for _, message := range page.Messages {
		found = append(found, message.TraceId)
	}

	matcher := tracefold.NewMatcherInput("storefront")
	matcher.SetAttributeKey("tenant.id")
	matcher.SetOperator(tracefold.MATCHEROPERATOR_EQUALS)
	matcher.SetValue(tenant)
	create := tracefold.IntegrationCreate{Name: os.Getenv("INTEGRATION_NAME"), Matchers: []tracefold.MatcherInput{*matcher}}
	made, _, err := client.IntegrationsAPI.CreateIntegration(ctx).IntegrationCreate(create).Execute()
	must(made, err)
	read, _, err := client.IntegrationsAPI.GetIntegration(ctx, made.Id).Execute()
	must(read, err)
	var update tracefold.IntegrationUpdate
	if err := json.Unmarshal(must(json.Marshal(read)), &update); err != nil {
		log.Fatal(err)
	}
	changed, _, err := client.IntegrationsAPI.UpdateIntegration(ctx, made.Id).IntegrationUpdate(update).Execute()
	must(changed, err)
	condition := changed.Matchers[0]
	renaming := tracefold.NewAlertRuleUpdate()
	renaming.SetName("Renamed")
	if sent := string(must(json.Marshal(renaming))); sent != `{"name":"Renamed"}` {
		log.Fatalf("an update sends more: %s", sent)
	}

	widget, _, err := client.ServicesAPI.GetWidgetData(ctx, "storefront", "core.spans").From(from).To(to).Execute()
	must(widget, err)

	_, _, err = client.MessagesAPI.SearchMessages(ctx).MessageSearch(tracefold.MessageSearch{From: &to, To: &from}).Execute()
	var fault *tracefold.GenericOpenAPIError
	if !errors.As(err, &fault) {
		log.Fatalf("an empty window was answered with %v", err)
	}
	problem := fault.Model().(tracefold.Problem)

	fmt.Println(string(must(json.Marshal(map[string]any{
		"found":       found,
		"integration": []any{condition.GetOperator(), condition.Value.GetActualInstance(), changed.Version},
		"widget":      widget.WidgetTable.Rows[0][0],
		"problem":     []any{problem.Code, problem.Status, problem.Errors[0].Pointer},
	}))))
}
