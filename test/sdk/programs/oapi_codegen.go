// Uses the client of oapi-codegen. Prints what test/sdk/answers.ts expects.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"example.org/tracefold/tracefold"
)

const tenant = 16777217

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func pointer[T any](value T) *T {
	return &value
}

func authorize(_ context.Context, request *http.Request) error {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TRACEFOLD_TOKEN"))
	return nil
}

func main() {
	from := must(time.Parse(time.RFC3339Nano, os.Getenv("WINDOW_FROM")))
	to := must(time.Parse(time.RFC3339Nano, os.Getenv("WINDOW_TO")))
	client := must(tracefold.NewClientWithResponses(
		os.Getenv("TRACEFOLD_URL"), tracefold.WithRequestEditorFn(authorize)))
	ctx := context.Background()

	var value tracefold.ConditionValue
	check(value.FromConditionValue1(tenant))
	var row tracefold.MessageRow
	check(row.FromMessageValueRow(tracefold.MessageValueRow{AttributeKey: "tenant.id", Operator: "eq", Value: value}))
	search := tracefold.MessageSearch{From: &from, To: &to, Rows: &[]tracefold.MessageRow{row}}
	page := must(client.SearchMessagesWithResponse(ctx, search))
	if page.JSON200 == nil {
		log.Fatal(string(page.Body))
	}
	found := []string{}
	for _, message := range page.JSON200.Messages {
		found = append(found, message.TraceId)
	}

	matcher := tracefold.MatcherInput{
		Service:      "storefront",
		AttributeKey: pointer("tenant.id"),
		Operator:     pointer(tracefold.MatcherOperator("equals")),
		Value:        tenant,
	}
	create := tracefold.IntegrationCreate{
		Name: os.Getenv("INTEGRATION_NAME"), Matchers: &[]tracefold.MatcherInput{matcher},
	}
	made := must(client.CreateIntegrationWithResponse(ctx, create))
	if made.JSON201 == nil {
		log.Fatal(string(made.Body))
	}
	id := made.JSON201.Id
	read := must(client.GetIntegrationWithResponse(ctx, id))
	var update tracefold.IntegrationUpdate
	check(json.Unmarshal(must(json.Marshal(read.JSON200)), &update))
	changed := must(client.UpdateIntegrationWithResponse(ctx, id, nil, update))
	if changed.JSON200 == nil {
		log.Fatal(string(changed.Body))
	}
	condition := changed.JSON200.Matchers[0]

	window := tracefold.GetWidgetDataParams{From: &from, To: &to}
	widget := must(client.GetWidgetDataWithResponse(ctx, "storefront", "core.spans", &window))
	if widget.JSON200 == nil {
		log.Fatal(string(widget.Body))
	}
	table := must(widget.JSON200.AsWidgetTable())

	refused := must(client.SearchMessagesWithResponse(ctx, tracefold.MessageSearch{From: &to, To: &from}))
	problem := refused.ApplicationproblemJSON400
	if problem == nil {
		log.Fatalf("an empty window was answered with %s", refused.Body)
	}

	fmt.Println(string(must(json.Marshal(map[string]any{
		"found":       found,
		"integration": []any{condition.Operator, condition.Value, changed.JSON200.Version},
		"widget":      table.Rows[0][0],
		"problem":     []any{problem.Code, problem.Status, (*problem.Errors)[0].Pointer},
	}))))
}
