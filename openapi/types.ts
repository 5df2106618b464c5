/**
 * Generated from openapi/bundle.json by `npm run generate`; do not edit.
 */
export interface paths {
    "/api/v1/messages/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search messages
         * @description Returns the messages in which at least one step satisfies all positive rows and no step violates a negative row, in the requested order. Results are exact, never estimated.
         */
        post: operations["searchMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count messages
         * @description Returns the exact number of messages that match in the window, and of their matched steps.
         */
        post: operations["countMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Describe a message search
         * @description Returns one English sentence that describes the search. With `window`, it says that the window is relative. Does not read telemetry.
         */
        post: operations["summarizeMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/parse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Parse a description of a message search
         * @description Parses a sentence in the words of a summary into the filter that it describes. Parsing the summary of a filter returns that filter, with all defaults written out. The window and the final period can be omitted. A relative window such as `in the last 15 minutes` is returned as the `from` and `to` that it has now; with `keep_relative_window`, also as `window`. A sentence that is not understood is refused with the `position` of the first unexpected character.
         */
        post: operations["parseMessageSummary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export messages
         * @description Streams the messages that match, as of the time of the request, as NDJSON or CSV according to `Accept`. Each line of NDJSON is a message as a search returns it. If an error occurs after the first byte, the connection breaks, so that a part is never taken for the whole.
         */
        post: operations["exportMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/histogram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count messages over time
         * @description Divides the messages of a query into buckets by their start. Counts and percentiles are exact. With `group_by`, also returns a series for each of the largest groups, and one for all other groups.
         */
        post: operations["countMessagesOverTime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Break messages down by attribute
         * @description Groups the messages of a query by the values of one or two attributes of their matched steps, or by fields of the message. Counts and percentiles are exact.
         */
        post: operations["countMessagesByAttribute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare messages
         * @description Finds what differs between the messages of two queries: for every pair of key and value, the share of messages of each side that have a step with the pair. Keys are read as the attribute source `any` reads them. Exact for up to 100,000 messages of a side; of a larger side, the newest 100,000 messages are compared.
         */
        post: operations["compareMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{trace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message
         * @description Returns all steps of one message in tree order. Without `from` and `to`, all retained spans are searched.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{trace_id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain why a message matches
         * @description Returns whether a search with the filter finds the message, and for each row, relation and rule the steps that decide it. Only visible steps within the window decide; `outside` counts the others that would.
         */
        post: operations["explainMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{trace_id}/skeleton": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the skeleton of a message
         * @description Returns the outlines of all spans of one message as parallel arrays in tree order, for messages that are too large to be read whole. Without `from` and `to`, all retained spans are searched. With a filter, also marks the matched steps.
         */
        get: operations["getMessageSkeleton"];
        put?: never;
        /**
         * Get the skeleton of a message with its matched steps
         * @description Returns what `GET` returns with the body as its filter. Without `from` and `to`, all retained spans are searched.
         */
        post: operations["queryMessageSkeleton"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{trace_id}/otlp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message as OTLP
         * @description Returns all spans of one message as an OTLP `ExportTraceServiceRequest`, in JSON or protobuf according to `Accept`. Queries on a server that receives it return the same results. Without `from` and `to`, all retained spans are searched.
         */
        get: operations["getMessageOtlp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{trace_id}/spans/{span_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a span
         * @description Returns one span as the message contains it, and the spans that link to it. Without `from` and `to`, the span is searched in all retained spans, and links in the spans that start up to 24 hours before or after it.
         */
        get: operations["getMessageSpan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{trace_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the logs of a message
         * @description Lists the log records of a message, oldest first, each with the `span_id` of its step. Without `from` and `to`, all retained records are searched. `restricted` callers cannot read logs.
         */
        get: operations["listMessageLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export log records
         * @description Streams the log records that match and are stored at the moment of the request, according to `Accept`: as NDJSON, whose lines are records as a search returns them, as CSV, or as an OTLP `ExportLogsServiceRequest` in JSON or protobuf. If an error occurs after the first byte, the connection breaks. `restricted` callers cannot read logs.
         */
        post: operations["exportLogRecords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logs/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search logs
         * @description Returns the log records that satisfy every condition, newest first. `trace_id` identifies the message of a record. `restricted` callers cannot read logs.
         */
        post: operations["searchLogs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List integrations
         * @description Lists the integrations of the organization, newest first. Restricted callers see only those granted to them.
         */
        get: operations["listIntegrations"];
        put?: never;
        /**
         * Create an integration
         * @description Creates an integration with its matchers. If a matcher is invalid, nothing is created.
         */
        post: operations["createIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an integration
         * @description Counts the messages that an integration would select, in total and for each rule, and describes each rule in one sentence. The integration is not stored.
         */
        post: operations["previewIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an integration
         * @description Returns the integration with its matchers. Restricted callers get 404 for an integration that is not granted to them.
         */
        get: operations["getIntegration"];
        /**
         * Update an integration
         * @description Updates only the fields that are sent.
         */
        put: operations["updateIntegration"];
        post?: never;
        /**
         * Delete an integration
         * @description Deletes the integration and its grants. Returns 409 while an alert rule uses the integration.
         */
        delete: operations["deleteIntegration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{id}/matchers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace all matchers
         * @description Replaces the list of matchers atomically: if a matcher is invalid, nothing changes. If `rule_match` is omitted, it keeps its value.
         */
        put: operations["replaceMatchers"];
        /**
         * Add a matcher
         * @description Appends one matcher to the list.
         */
        post: operations["addMatcher"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{id}/matchers/{matcher_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a matcher
         * @description Deletes one matcher.
         */
        delete: operations["deleteMatcher"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{id}/clone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Clone an integration
         * @description Creates an integration with a new name and the `rule_match` and matchers of this one. Grants are not copied. The clone of an integration with the flag `or_under_all` is refused with 409, as creating it would be.
         */
        post: operations["cloneIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the statistics of an integration
         * @description Returns exact counts of the messages and spans of the integration in the window.
         */
        get: operations["getIntegrationStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{id}/flow-graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the flow graph of an integration
         * @description Returns the services of the integration and the calls between them. A span counts as a call if its nearest ancestor in the integration belongs to another service, which is the caller.
         */
        get: operations["getIntegrationFlowGraph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a change of an integration
         * @description Returns what would enter and leave the integration within the window if its `matchers` and `rule_match` were updated, and the affected alert rules and grants. Nothing is stored. A change that the update would refuse is refused here too.
         */
        post: operations["compareIntegration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{id}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the grants of an integration
         * @description Returns the subjects with the role `restricted` that can see the spans of the integration.
         */
        get: operations["getIntegrationGrants"];
        /**
         * Replace the grants of an integration
         * @description Replaces the list of subjects. Grants are versioned separately from their integration.
         */
        put: operations["replaceIntegrationGrants"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/saved-views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved views
         * @description Lists the saved views of the organization, newest first. Restricted callers see only those of integrations granted to them, because the rows of a view name attribute values.
         */
        get: operations["listSavedViews"];
        put?: never;
        /**
         * Create a saved view
         * @description Stores a message search. Its rows are validated like those of a search.
         */
        post: operations["createSavedView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/saved-views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a saved view
         * @description Returns the view with a description of its search. Restricted callers get 404 for a view that is not of an integration granted to them.
         */
        get: operations["getSavedView"];
        /**
         * Update a saved view
         * @description Updates only the fields that are sent. null removes the integration or the status.
         */
        put: operations["updateSavedView"];
        post?: never;
        /**
         * Delete a saved view
         * @description Deletes the view.
         */
        delete: operations["deleteSavedView"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/saved-views/{id}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a saved view
         * @description Runs the stored search and returns a page of messages. Returns 409 `integration_deleted` if the integration of the view has been deleted.
         */
        post: operations["searchSavedView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List channels
         * @description Lists the channels of the organization, newest first. Credentials are masked, and for viewers URLs and body templates too.
         */
        get: operations["listChannels"];
        put?: never;
        /**
         * Create a channel
         * @description Creates a webhook channel. Returns 422 if its body template is invalid.
         */
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/channels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a channel
         * @description Returns the channel. Credentials are masked, and for viewers its URL and body template too.
         */
        get: operations["getChannel"];
        /**
         * Update a channel
         * @description Updates only the fields that are sent, including those of `config`. Omitted fields, including credentials, keep their values; null clears a field. Returns 422 if `url` gets another origin and `auth_header` is stored but not sent. The result is validated like a new channel. Enabling a channel that was disabled because of failures resets its failure history.
         */
        put: operations["updateChannel"];
        post?: never;
        /**
         * Delete a channel
         * @description Deletes the channel and its credentials. Returns 409 while an alert rule uses the channel.
         */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alert rules
         * @description Lists the alert rules of the organization with their states, newest first.
         */
        get: operations["listAlertRules"];
        put?: never;
        /**
         * Create an alert rule
         * @description Creates an alert rule and starts evaluating it. Its channels and its integration must exist.
         */
        post: operations["createAlertRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/rules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an alert rule
         * @description Evaluates a rule now and over a past window, and returns the notifications that it would have sent. The rule is not stored.
         */
        post: operations["previewAlertRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert rule
         * @description Returns the alert rule with its state.
         */
        get: operations["getAlertRule"];
        /**
         * Update an alert rule
         * @description Updates only the fields that are sent. Disabling the rule, or changing what it measures, its comparator, threshold, window or `for_s`, resolves its open alert with one notification and resets its state.
         */
        put: operations["updateAlertRule"];
        post?: never;
        /**
         * Delete an alert rule
         * @description Deletes the alert rule and resolves its open alert with one notification. Its past alerts are kept.
         */
        delete: operations["deleteAlertRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List alerts
         * @description Lists alerts, newest first, including those of deleted rules.
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert
         * @description Returns an alert, also if its rule was deleted.
         */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/template-context-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the variables of body templates
         * @description Lists every path that a body template can reference, with its type, when it has a value, and a sample. Templates that reference any other path are rejected.
         */
        get: operations["listTemplateVariables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/templates/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a body template
         * @description Validates a template as if it were saved, and renders it with the sample value of each variable. Deliveries use the same renderer.
         */
        post: operations["previewTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/channels/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test notification
         * @description Posts a sample firing alert exactly as a delivery would be posted, with the same rendering, signature and address checks, and returns the delivery. Makes one attempt, even if the channel is disabled. If the attempt takes longer than 20 seconds, the delivery is returned as `pending` and its result appears in the list of deliveries. Returns 429 while another test of the channel is running, after 5 tests of it within a minute, and after 100 tests and retries of the organization within a minute.
         */
        post: operations["testChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/channels/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a channel
         * @description Lists the deliveries of the channel, newest first. Each attempt has its time, the status and, for contributors, the beginning of the response, and the error if it failed. Completed deliveries are kept for 30 days.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerting/channels/{id}/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery
         * @description Schedules a failed, skipped or pending delivery for immediate delivery and restarts its retry schedule. The delivery keeps its id; its body is rendered again with the current configuration of the channel. Returns 409 if the delivery has succeeded or is in progress, or if the channel is disabled, and 429 after 3 retries of the delivery, 30 of the channel, or 100 retries and tests of the organization within a minute.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List services
         * @description Lists the services that have spans in the window, ordered by name, with their span counts and facets.
         */
        get: operations["listServices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{name}/facet-overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the facets of a service
         * @description Returns every facet with its detected, override and effective state in the window. Restricted callers get 404 for a service that is not part of an integration granted to them. They see the overrides of a service that only a pattern covers if it has spans in the window that they can see.
         */
        get: operations["getFacetOverrides"];
        /**
         * Replace the overrides of a service
         * @description Replaces all overrides of the service. Overrides take precedence over detection. The service does not need to have telemetry.
         */
        put: operations["replaceFacetOverrides"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{name}/facet-mappings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the classification rules of a service
         * @description Lists the rules in creation order, which is the order in which they apply. With `explain`, the response also contains the number of spans in the window that each rule classified. Restricted callers see the rules of a service that only a pattern of an integration covers if it has spans in the window that they can see.
         */
        get: operations["listFacetMappings"];
        put?: never;
        /**
         * Add a classification rule
         * @description Adds a rule after the existing rules of the service. The service does not need to have telemetry.
         */
        post: operations["createFacetMapping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{name}/facet-mappings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a classification rule
         * @description Deletes one rule. The other rules keep their order.
         */
        delete: operations["deleteFacetMapping"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{name}/widgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the dashboard of a service
         * @description Returns one section with its widgets for each facet that the service has in the window, in a fixed order. A facet that an override includes has a section even without telemetry. The data of each widget is a separate request.
         */
        get: operations["getServiceDashboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/services/{name}/widgets/{widget_id}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the data of a widget
         * @description Returns the data of one widget for the service in the window, whether or not the service has the widget's facet.
         *
         *     - Without telemetry there are no points and no rows. A point of 0 means that there were spans, none of which failed.
         *     - Buckets start at multiples of the step since the Unix epoch. The first and last buckets can extend beyond the window; their rates are per second of the part inside it.
         *     - Percentiles are exact, by nearest rank: the smallest duration such that at least that percentage of the durations are less than or equal to it.
         *     - The groups with the most spans are returned, up to 10 series or 50 rows, with ties ordered by name. The rest are combined into one group, which `group` or `row_groups` distinguishes
         *       from a group of the same name. Spans without the attribute form a group as well.
         */
        get: operations["getWidgetData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List facets
         * @description Lists all facets: the built-in ones in the order of dashboard sections, then custom ones by slug.
         */
        get: operations["listFacets"];
        put?: never;
        /**
         * Create a custom facet
         * @description Creates a facet. Services get a custom facet only through include overrides. The slug is derived from the name and never changes.
         */
        post: operations["createFacet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-facets/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a facet and its services
         * @description Returns the facet and every service that has it in the window. Restricted callers see only the services granted to them.
         */
        get: operations["getFacet"];
        /**
         * Update a custom facet
         * @description Updates the name or the description. The slug does not change. Returns 403 for a built-in facet.
         */
        put: operations["updateFacet"];
        post?: never;
        /**
         * Delete a custom facet
         * @description Deletes a custom facet. Overrides that name it are kept but have no effect. Returns 403 for a built-in facet.
         */
        delete: operations["deleteFacet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/config/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the configuration
         * @description Returns the integrations, saved views, custom facets, facet overrides, classification rules, alert rules and channels of the organization. Credentials and grants are not exported. For viewers, the URLs and body templates of channels are masked, and such an export cannot be imported.
         */
        get: operations["exportConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/config/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a configuration
         * @description Imports an export atomically: if a record is invalid, nothing changes. Existing records are matched by name, facets by slug, overrides and classification rules by service. Grants are not changed. With `dry_run`, returns what the import would return now, including problems, and changes nothing.
         */
        post: operations["importConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metrics-catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List metrics
         * @description Lists the metrics that have points in the window, ordered by name. A name is listed once for each combination of kind, unit, temporality and monotonicity. Only series that have points in the window count.
         */
        get: operations["listMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metrics/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query a metric
         * @description Returns the values of a metric over time, aggregated over the series that satisfy every condition. `restricted` callers cannot read metrics.
         *
         *     - Buckets start at multiples of `step_s` since the Unix epoch; a window has at most 500. A point belongs to the
         *       bucket of its timestamp. A bucket without data has no value, rather than 0.
         *     - Series of different kinds or units are never combined: each kind and unit is returned separately. Series of a
         *       kind that does not support the aggregation are omitted: gauges have no `rate`, histograms and summaries have no
         *       `last`. Returns 422 if no kind supports it.
         *     - For gauges and sums, `avg`, `min`, `max`, `p50`, `p95`, `p99`, `count` and `last` aggregate the values of the
         *       points as sent, and so does `sum` of a gauge. Percentiles are by nearest rank. `last` is the value of the latest
         *       point, or the largest of several with the same timestamp.
         *     - For sums, `sum` and `rate` aggregate increases, for either temporality. For histograms, so do `count`, `sum`,
         *       `avg`, `rate` (of the count) and percentiles; for summaries, all of these except percentiles.
         *     - The increase of a cumulative point is relative to the previous point with the same start timestamp, which can be
         *       up to ten minutes before the window. After a new start timestamp or a decrease, the increase is counted from
         *       zero. The increase of the first point of a series is unknown if its start timestamp is unset or more than ten
         *       minutes before the window.
         *     - `rate` is per second of the time covered by known increases, so gaps neither lower nor raise it. The rates of
         *       several series are added.
         *     - Percentiles of histograms are interpolated within the bucket that contains the rank. `min` and `max` of
         *       histograms are those that the points carry; for cumulative points they cover the time since the start timestamp.
         *     - For summaries, percentiles and `max` are the largest of the reported quantiles, and `min` is the smallest.
         *     - Points with the flag `NO_RECORDED_VALUE`, and values that are not finite numbers, are ignored.
         */
        post: operations["queryMetric"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metrics/points/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the points of a metric
         * @description Returns the points of the series that satisfy every condition, newest first, as they were sent. `restricted` callers cannot read metrics.
         */
        post: operations["searchMetricPoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List attribute keys
         * @description Lists the attribute keys of the spans in the window, ordered by code point and then by source.
         */
        get: operations["listAttributeKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/attributes/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List attribute values
         * @description Lists the values of one attribute key among the spans in the window, ordered by their text. Values with the same first 500 characters are in any order.
         */
        get: operations["listAttributeValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Lists the API keys of the organization, newest first. The keys themselves are not returned.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates an API key and returns it. The key cannot be retrieved later: only its hash is stored.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description Deletes an API key. This server rejects requests that use it immediately, and other servers of the same store within five seconds.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Lists the changes of the records of the organization, newest first. Each entry was stored in the transaction of its change. Entries are kept for the days that the setting `AUDIT_DAYS` gives. Without `from` and `to`, the log is not limited in time.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller
         * @description Returns the subject, organization and role of the credential.
         */
        get: operations["getCaller"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the versions of the server
         * @description Returns the versions of Tracefold and of its ClickHouse server.
         */
        get: operations["getServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tempo/api/echo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Test the connection of a data source
         * @description Returns the text `echo`. Grafana calls it to test a data source and its credential.
         */
        get: operations["getTempoEcho"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tempo/api/status/buildinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the version of Tempo's API
         * @description Returns the version of Tempo by which Grafana decides which features to offer. It is one without streaming search, which this server does not have. `revision` is the version of this server.
         */
        get: operations["getTempoBuildInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tempo/api/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search traces by TraceQL or tags
         * @description Returns the newest traces that match, with the first spans that the query selects. Only spans that start in the window count. A part of TraceQL that cannot be answered exactly is refused with the code `unsupported_traceql`.
         */
        get: operations["searchTempoTraces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tempo/api/search/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags (Tempo API v1)
         * @description Returns the names of the tags that spans in the window carry, of one scope or of spans and resources.
         */
        get: operations["getTempoTagNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tempo/api/search/tag/{tag}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the values of a tag (Tempo API v1)
         * @description Returns the texts of the values that spans in the window carry.
         */
        get: operations["getTempoTagTexts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tempo/api/v2/search/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags by scope (Tempo API v2)
         * @description Returns the names of the tags that spans in the window carry, by scope, and the intrinsics that a query can name.
         */
        get: operations["getTempoTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tempo/api/v2/search/tag/{tag}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the values of a tag with their types (Tempo API v2)
         * @description Returns the values that spans in the window carry, in the order of their texts. There are none for a duration.
         */
        get: operations["getTempoTagValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tempo/api/traces/{trace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a trace (Tempo API v1)
         * @description Returns the spans of one trace, in OTLP JSON or, with `Accept: application/protobuf`, as a protobuf message that equals an OTLP `TracesData`. Without `start` and `end`, all retained spans are searched.
         */
        get: operations["getTempoTraceBatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tempo/api/v2/traces/{trace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a trace (Tempo API v2)
         * @description Returns the spans of one trace, in OTLP JSON or, with `Accept: application/protobuf`, as Tempo's `TraceByIDResponse`: its field 1 is a message that equals an OTLP `TracesData`. In a large trace the field repeats and a decoder merges its parts. Without `start` and `end`, all retained spans are searched.
         */
        get: operations["getTempoTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send traces (OTLP/HTTP)
         * @description Accepts OTLP/HTTP traces in protobuf or JSON, optionally compressed with gzip or deflate (`Content-Encoding`), and returns 200 after storing them. Retries are safe: a body that is sent again is not stored twice. Spans that cannot be stored are counted in `partialSuccess`; all others are stored. Errors are a `google.rpc.Status` in the encoding of the request. Requires the role `ingest`, `contributor` or `admin`.
         */
        post: operations["ingestTraces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send metrics (OTLP/HTTP)
         * @description Accepts OTLP/HTTP metrics (gauges, sums, histograms, exponential histograms and summaries) in protobuf or JSON, optionally compressed with gzip or deflate (`Content-Encoding`), and returns 200 after storing them. Retries are safe: a body that is sent again, or a second point of a series with the same timestamp, is not stored twice. Points that cannot be stored are counted in `partialSuccess`; all others are stored. Errors are a `google.rpc.Status` in the encoding of the request. Requires the role `ingest`, `contributor` or `admin`.
         */
        post: operations["ingestMetrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send logs (OTLP/HTTP)
         * @description Accepts OTLP/HTTP logs in protobuf or JSON, optionally compressed with gzip or deflate (`Content-Encoding`), and returns 200 after storing them. Retries are safe: a body that is sent again is not stored twice, but identical records within one body are all stored. Records that cannot be stored are counted in `partialSuccess`; all others are stored. Errors are a `google.rpc.Status` in the encoding of the request. Requires the role `ingest`, `contributor` or `admin`.
         */
        post: operations["ingestLogs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Returns 200 while the process is running. Does not check dependencies.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Returns 503 until the migrations are complete, while a store is unavailable or close to rejecting inserts, and while the server shuts down.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metrics of the server
         * @description Returns the server's own metrics in the Prometheus text format.
         */
        get: operations["getPrometheusMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description Returns the OpenAPI document that requests are validated against.
         */
        get: operations["getOpenapiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the API reference
         * @description Returns this document as a web page that loads nothing from other servers.
         */
        get: operations["getApiReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: date-time
         * @description An RFC 3339 timestamp with up to nine fractional digits. Requests may use any offset from UTC, such as `+01:00` or `+0100`. Responses use UTC (`Z`).
         * @example 2026-03-01T09:00:00Z
         * @example 2026-03-01T09:00:00.123456789Z
         */
        Timestamp: string;
        /**
         * @description The id of a record, a ULID.
         * @example 01JNB4Y8Z0V6Q3W2R7T5X9K1MD
         */
        RecordId: string;
        /**
         * @description The status of a message: `error` if any matched step has the span status error, otherwise `ok`.
         * @enum {string}
         */
        MessageStatus: "error" | "ok";
        /**
         * @description The source of an attribute of a message filter. `any`, `span`, `resource` and `intrinsic` read the steps, as everywhere. `message` reads a field of the whole message. Over all of its spans: `duration_ms` (from the first start to the last end), `span_count`, `error_count`, `service_count`, `root.service`, `root.name`. Over its matched steps: `matched_step_count`, `error_step_count`.
         * @enum {string}
         */
        MessageAttributeSource: "any" | "span" | "resource" | "intrinsic" | "message";
        /**
         * @description The key of an attribute. Any Unicode string, including the empty string.
         * @example customer.id
         */
        AttributeKey: string;
        /**
         * @description The value to compare with. Integers beyond 2^53 must be sent as a string. `gt`, `gte`, `lt` and `lte` require a number or a string that contains one; `matches` requires an RE2 regular expression of at most 1,000 characters.
         * @example 77
         * @example 200
         * @example true
         */
        ConditionValue: string | number | boolean;
        /**
         * @description A condition on the value of an attribute. `neq` and `not_contains` apply to the whole message: no step may satisfy the same condition with `eq` or `contains`. A row with the source `message` is a condition on the message itself. It selects no steps; fields that are numbers accept `eq`, `neq`, `gt`, `gte`, `lt` and `lte`, and `root.service` and `root.name` accept the operators on text.
         * @example {
         *       "attribute_key": "customer.id",
         *       "operator": "eq",
         *       "value": "77",
         *       "includeDescendants": true
         *     }
         * @example {
         *       "attribute_source": "intrinsic",
         *       "attribute_key": "duration_ms",
         *       "operator": "gte",
         *       "value": 250
         *     }
         * @example {
         *       "attribute_source": "span",
         *       "attribute_key": "http.route",
         *       "operator": "not_contains",
         *       "value": "/health"
         *     }
         * @example {
         *       "attribute_source": "message",
         *       "attribute_key": "matched_step_count",
         *       "operator": "gte",
         *       "value": 3
         *     }
         */
        MessageValueRow: {
            attribute_source?: components["schemas"]["MessageAttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
            /**
             * @description How the attribute is compared with `value`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            operator: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "matches" | "gt" | "gte" | "lt" | "lte";
            value: components["schemas"]["ConditionValue"];
            /**
             * @description Whether all descendants of a matched step are matched steps too. Not allowed on negative, intrinsic and message rows.
             * @default false
             */
            includeDescendants?: boolean;
        };
        /**
         * @description A condition on the presence of an attribute. `not_exists` applies to the whole message: no step may have the attribute. Not allowed with the source `message`, because a message has every field.
         * @example {
         *       "attribute_source": "any",
         *       "attribute_key": "http.route",
         *       "operator": "exists",
         *       "includeDescendants": true
         *     }
         * @example {
         *       "attribute_source": "resource",
         *       "attribute_key": "deployment.environment",
         *       "operator": "not_exists"
         *     }
         */
        MessagePresenceRow: {
            attribute_source?: components["schemas"]["MessageAttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
            /**
             * @description Whether the attribute must be present or absent. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            operator: "exists" | "not_exists";
            /** @description Ignored. */
            value?: unknown;
            /**
             * @description Whether all descendants of a matched step are matched steps too. Not allowed on negative and intrinsic rows.
             * @default false
             */
            includeDescendants?: boolean;
        };
        /** @description One condition of a message query. `exists` and `not_exists` need no value; all other operators require one. */
        MessageRow: components["schemas"]["MessageValueRow"] | components["schemas"]["MessagePresenceRow"];
        /** @description Conditions on a message. One step must satisfy every positive row; `neq`, `not_contains`, `not_exists` and the source `message` apply to the whole message. */
        MessageRows: components["schemas"]["MessageRow"][];
        /**
         * @description The source of an attribute. `any` reads the span attribute if the span has the key, otherwise the resource attribute. `intrinsic` reads the fields that every span has: `service`, `name`, `kind`, `status`, `status_message`, `duration_ms`, `scope_name`.
         * @enum {string}
         */
        AttributeSource: "any" | "span" | "resource" | "intrinsic";
        /**
         * @description A condition on the value of an attribute of a step. `neq` and `not_contains` also match steps without the attribute.
         * @example {
         *       "attribute_source": "intrinsic",
         *       "attribute_key": "name",
         *       "operator": "eq",
         *       "value": "order.placed"
         *     }
         * @example {
         *       "attribute_key": "tenant",
         *       "operator": "neq",
         *       "value": "t-1"
         *     }
         */
        StepValueCondition: {
            attribute_source?: components["schemas"]["AttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
            /**
             * @description How the attribute is compared with `value`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            operator: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "matches" | "gt" | "gte" | "lt" | "lte";
            value: components["schemas"]["ConditionValue"];
        };
        /**
         * @description A condition on the presence of an attribute of a step. `not_exists` matches the steps without it.
         * @example {
         *       "attribute_key": "order.id",
         *       "operator": "exists"
         *     }
         */
        StepPresenceCondition: {
            attribute_source?: components["schemas"]["AttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
            /**
             * @description Whether the attribute must be present or absent. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            operator: "exists" | "not_exists";
            /** @description Ignored. */
            value?: unknown;
        };
        /** @description A condition on one step. `exists` and `not_exists` need no value; all other operators require one. */
        StepCondition: components["schemas"]["StepValueCondition"] | components["schemas"]["StepPresenceCondition"];
        /** @description Conditions on one step. All must be true of it. An empty list matches every step. */
        StepConditions: components["schemas"]["StepCondition"][];
        /**
         * @description A relation between two steps of a message, both anywhere in it. A message satisfies the relation if some step that satisfies `from` has a counterpart that satisfies `to`, or, for the kinds with `not`, has none. These steps are matched steps. A step follows another if it does not start before it; it contains its descendants and is called by its ancestors.
         * @example {
         *       "kind": "not_followed_by",
         *       "from": [
         *         {
         *           "attribute_source": "intrinsic",
         *           "attribute_key": "name",
         *           "operator": "eq",
         *           "value": "order.placed"
         *         }
         *       ],
         *       "to": [
         *         {
         *           "attribute_source": "intrinsic",
         *           "attribute_key": "name",
         *           "operator": "eq",
         *           "value": "invoice.sent"
         *         }
         *       ],
         *       "within_ms": 300000
         *     }
         * @example {
         *       "kind": "contains",
         *       "from": [
         *         {
         *           "attribute_key": "http.route",
         *           "operator": "exists"
         *         }
         *       ],
         *       "to": [
         *         {
         *           "attribute_source": "intrinsic",
         *           "attribute_key": "status",
         *           "operator": "eq",
         *           "value": "error"
         *         }
         *       ]
         *     }
         */
        Relation: {
            /**
             * @description Whether the counterpart follows the step, is below it (`contains`) or above it (`called_by`).
             * @enum {string}
             */
            kind: "followed_by" | "not_followed_by" | "contains" | "not_contains" | "called_by" | "not_called_by";
            from: components["schemas"]["StepConditions"];
            to: components["schemas"]["StepConditions"];
            /**
             * Format: int64
             * @description The maximum time between the starts of both steps, in milliseconds. Only for `followed_by` and `not_followed_by`.
             */
            within_ms?: number;
        };
        /** @description Relations between steps of a message. All must be satisfied. */
        Relations: components["schemas"]["Relation"][];
        /**
         * @description The order of messages. `newest` and `oldest` are by start, `longest` and `shortest` by duration, `most_steps` by matched steps and `most_errors` by matched steps with the status error. Messages that are equal in the order are sorted by start, then by trace id, both descending. Without it, the order is `newest`.
         * @enum {string}
         */
        MessageOrder: "newest" | "oldest" | "longest" | "shortest" | "most_steps" | "most_errors";
        /** @description An attribute of the steps of a message. */
        StepAttribute: {
            attribute_source?: components["schemas"]["AttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
        };
        /** @description Attributes that each message includes as `columns`, in this order. */
        MessageColumns: components["schemas"]["StepAttribute"][];
        /**
         * Format: int32
         * @description The maximum number of items in a page.
         * @default 50
         * @example 50
         */
        PageSize: number;
        /** @description A message query and the page to return. The window defaults to the last hour. */
        MessageSearch: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            integration_id?: components["schemas"]["RecordId"];
            status?: components["schemas"]["MessageStatus"];
            rows?: components["schemas"]["MessageRows"];
            relations?: components["schemas"]["Relations"];
            order?: components["schemas"]["MessageOrder"];
            columns?: components["schemas"]["MessageColumns"];
            limit?: components["schemas"]["PageSize"];
            /** @description The `next_cursor` of the previous page; null or absent for the first page. */
            cursor?: string | null;
        };
        /**
         * @description Identifies the kind of problem. Codes are stable; `detail` and messages are not.
         *
         *     - `invalid_request` (400): the request does not match this document. `errors` lists every invalid field.
         *     - `invalid_cursor` (400): the cursor is malformed or belongs to another query.
         *     - `unauthenticated` (401): the credential is missing, invalid or expired.
         *     - `forbidden` (403): the role of the caller does not allow the operation, or a built-in record cannot be changed.
         *     - `not_found` (404): the path or the record does not exist, or the record is not visible to the caller.
         *     - `method_not_allowed` (405): the path does not support the method. `Allow` lists those that it does.
         *     - `not_acceptable` (406): none of the media types in `Accept` is available.
         *     - `request_timeout` (408): the request was not received completely within the time limit.
         *     - `conflict` (409): the change conflicts with stored data, such as a name that is taken.
         *     - `or_under_all` (409): `rule_match` is `all` and more than one group of matchers names the same service.
         *     - `integration_deleted` (409): a saved view refers to an integration that has been deleted.
         *     - `version_mismatch` (412): the record has changed since it was read. `ETag` holds its current version.
         *     - `payload_too_large` (413): the request body exceeds the limit in bytes.
         *     - `unsupported_media_type` (415): the media type, charset or content encoding of the body is not supported.
         *     - `refused` (422): the request is well formed but cannot be carried out, for example because it names an unknown record.
         *     - `query_too_large` (422): the query would read more rows, use more memory or return more than allowed, or has too many
         *       conditions. Narrow the window or the conditions.
         *     - `too_many_requests` (429): too many concurrent requests. Retry after `Retry-After` seconds.
         *     - `quota_exceeded` (429): the organization exceeds one of its quotas, which `detail` names. Retry after `Retry-After`
         *       seconds.
         *     - `headers_too_large` (431): the URL and the headers together exceed the limit in bytes.
         *     - `internal` (500): an internal error. The server log has the details under the id in `X-Request-Id`.
         *     - `unavailable` (503): the server or one of its dependencies is unavailable. Retry after `Retry-After` seconds.
         *     - `query_timeout` (503): the query exceeded its time limit. Narrow the window or the conditions.
         * @enum {string}
         */
        ProblemCode: "invalid_request" | "invalid_cursor" | "unauthenticated" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "conflict" | "or_under_all" | "integration_deleted" | "version_mismatch" | "payload_too_large" | "unsupported_media_type" | "refused" | "query_too_large" | "too_many_requests" | "quota_exceeded" | "headers_too_large" | "internal" | "unavailable" | "query_timeout";
        /**
         * @description An invalid field of the request.
         * @example {
         *       "pointer": "/status",
         *       "code": "enum",
         *       "message": "must be one of error, ok, not \"errors\"; did you mean \"error\"?"
         *     }
         * @example {
         *       "pointer": "#/query/from",
         *       "code": "format",
         *       "message": "must be an RFC 3339 timestamp with a time zone, such as 2026-03-01T09:00:00Z"
         *     }
         */
        FieldFault: {
            /** @description A JSON pointer into the request body (empty for the body itself), or `#/query/`, `#/path/` or `#/header/` and the name of a parameter. */
            pointer: string;
            /** @description A stable, machine-readable code. */
            code: string;
            /** @description A description of the error. */
            message: string;
            /**
             * Format: int64
             * @description The number of Unicode code points of the field before the error. Present if the field is a text with a syntax.
             */
            position?: number;
        };
        /** @description A problem (RFC 9457). */
        Problem: {
            /**
             * Format: uri-reference
             * @description A URI that identifies the problem type: `urn:tracefold:problem:` followed by `code`.
             */
            type: string;
            /** @description A short summary of the problem type, the same for every occurrence. */
            title: string;
            /**
             * Format: int32
             * @description The HTTP status of the response.
             */
            status: number;
            /** @description A description of this occurrence. If there are `errors`, it says how many, where the first one is, and what it is. */
            detail: string;
            /** @description The same as `detail`, only in responses of operations under `/tempo`, because Grafana shows it. */
            message?: string;
            code: components["schemas"]["ProblemCode"];
            /** @description The invalid fields of the request. */
            errors?: components["schemas"]["FieldFault"][];
        };
        /**
         * @description The id of a trace, 32 lower-case hexadecimal digits.
         * @example 5b8efff798038103d269b633813fc60c
         */
        TraceId: string;
        /**
         * @description Nanoseconds as an integer, in a string because it can exceed 2^53.
         * @example 1500000000
         */
        Nanoseconds: string;
        /** @description The span without a parent span id, or the first span if every span has one. */
        MessageRoot: {
            /** @description The service of the span. */
            service: string;
            /** @description The name of the span. */
            name: string;
        };
        /**
         * @description The id of a span within its trace, 16 lower-case hexadecimal digits.
         * @example eee19b7ec3c1b174
         */
        SpanId: string;
        /**
         * @description The OTLP type of a value. `unset` is a key that was sent without a value.
         * @enum {string}
         */
        AttributeType: "string" | "bool" | "int" | "double" | "bytes" | "array" | "kvlist" | "unset";
        /** @description The value of a column: that of the first matched step that has the attribute, by start and then by span id, otherwise that of the root. Null if none of them has it. */
        MessageColumn: {
            /** @description The value as text, as conditions compare it. */
            value: string;
            type: components["schemas"]["AttributeType"];
            from_span_id: components["schemas"]["SpanId"];
        } | null;
        /** @description One trace that matches the query. `span_count`, `error_count`, `services` and `root` describe the whole message within the window; the matched steps are the spans that the rows select. */
        Message: {
            trace_id: components["schemas"]["TraceId"];
            started_at: components["schemas"]["Timestamp"];
            duration_ns: components["schemas"]["Nanoseconds"];
            status: components["schemas"]["MessageStatus"];
            root: components["schemas"]["MessageRoot"];
            /** @description The services of the message. */
            services: string[];
            /**
             * Format: int64
             * @description The number of spans.
             */
            span_count: number;
            /**
             * Format: int64
             * @description The number of spans with status error.
             */
            error_count: number;
            /**
             * Format: int64
             * @description The number of matched steps, including those beyond the first 1,000.
             */
            matched_step_count: number;
            /** @description The matched steps, oldest first, at most 1,000. */
            matched_step_ids: components["schemas"]["SpanId"][];
            /** @description The columns of the search, in its order. Present if the search names columns. */
            columns?: components["schemas"]["MessageColumn"][];
        };
        /** @description A page of messages. */
        MessagePage: {
            /** @description The messages, in the order of the search. */
            messages: components["schemas"]["Message"][];
            /** @description The cursor of the next page; null on the last page. All pages reflect the time of the first one. A message to which spans were just being added at that time may be on two pages or on none. */
            next_cursor: string | null;
            /** @description One sentence that describes the query. In it, "child spans" are descendants at any depth. */
            summary: string;
        };
        /** @description A message query. The window defaults to the last hour. */
        MessageFilter: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            integration_id?: components["schemas"]["RecordId"];
            status?: components["schemas"]["MessageStatus"];
            rows?: components["schemas"]["MessageRows"];
            relations?: components["schemas"]["Relations"];
        };
        /** @description Exact counts over the window. */
        MessageCount: {
            /**
             * Format: int64
             * @description The number of matching messages.
             */
            message_count: number;
            /**
             * Format: int64
             * @description The number of matching messages with status error.
             */
            error_message_count: number;
            /**
             * Format: int64
             * @description The number of matched steps.
             */
            matched_step_count: number;
            /**
             * Format: int64
             * @description The number of matched steps with status error.
             */
            error_step_count: number;
        };
        /**
         * @description A window that ends at the time of the search. `last_s` is its length in seconds.
         * @example {
         *       "kind": "relative",
         *       "last_s": 3600
         *     }
         */
        RelativeWindow: {
            /**
             * @description The window ends at the time of the search. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "relative";
            /**
             * Format: int64
             * @description The length of the window in seconds.
             */
            last_s: number;
        };
        /** @description A message query that was parsed from a sentence. The window defaults to the last hour. A relative `window` takes the place of `from` and `to`, which are its ends now. The other operations take the query without `window`. */
        SentenceFilter: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            window?: components["schemas"]["RelativeWindow"];
            integration_id?: components["schemas"]["RecordId"];
            status?: components["schemas"]["MessageStatus"];
            rows?: components["schemas"]["MessageRows"];
            relations?: components["schemas"]["Relations"];
        };
        /** @description A message query as a sentence. */
        MessageSummary: {
            /** @description One sentence that describes the query. In it, "child spans" are descendants at any depth. */
            summary: string;
        };
        /** @description A sentence that describes a message search, as a summary does. */
        MessageSentence: {
            /** @description The sentence. */
            sentence: string;
            /**
             * @description Whether a relative window is returned as `window` too, beside the times that it has now.
             * @default false
             */
            keep_relative_window?: boolean;
        };
        /**
         * @description The order of the exported records: messages by start, log records by time. With equal times, messages are ordered by id, descending; log records too, but ascending with `oldest`.
         * @default newest
         * @enum {string}
         */
        ExportOrder: "newest" | "oldest";
        /**
         * Format: int32
         * @description The maximum number of records to export.
         * @default 1000000
         */
        ExportLimit: number;
        /** @description A message query and what to export of its messages. The window defaults to the last hour. */
        MessageExport: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            integration_id?: components["schemas"]["RecordId"];
            status?: components["schemas"]["MessageStatus"];
            rows?: components["schemas"]["MessageRows"];
            relations?: components["schemas"]["Relations"];
            order?: components["schemas"]["ExportOrder"];
            columns?: components["schemas"]["MessageColumns"];
            limit?: components["schemas"]["ExportLimit"];
        };
        /**
         * Format: binary
         * @description One JSON document per line. The last line is `{"end":true,"count":n}`; a file without it is incomplete.
         * @example {"end":true,"count":0}
         */
        Ndjson: string;
        /**
         * @description CSV (RFC 4180) with a header. A text that a spreadsheet would take for a formula is preceded by an apostrophe.
         * @example trace_id,root.name
         *     5b8efff798038103d269b633813fc60c,'=1+1
         */
        Csv: string;
        /**
         * Format: int32
         * @description The width of a bucket in seconds. The default is the smallest of 1, 2, 5, 10, 15 and 30 s, 1, 2, 5, 10, 15 and 30 min, 1, 2, 3, 6 and 12 h, and 1 d that gives at most 120 buckets, or 1 d. A request can give at most 1,000 buckets.
         */
        BucketSeconds: number;
        /** @description An attribute of the steps of a message, or a field of the message. */
        MessageAttribute: {
            attribute_source?: components["schemas"]["MessageAttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
        };
        /** @description A message query, and how to divide its messages. The window defaults to the last hour. */
        MessageHistogramRequest: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            integration_id?: components["schemas"]["RecordId"];
            status?: components["schemas"]["MessageStatus"];
            rows?: components["schemas"]["MessageRows"];
            relations?: components["schemas"]["Relations"];
            step_s?: components["schemas"]["BucketSeconds"];
            /**
             * @description Whether each bucket includes its messages by band of duration.
             * @default false
             */
            heatmap?: boolean;
            /** @description The attributes to group by, at most two, as in a breakdown. If empty or absent, there are no groups. */
            group_by?: components["schemas"]["MessageAttribute"][];
            /**
             * Format: int32
             * @description The maximum number of groups with a series of their own.
             * @default 10
             */
            limit?: number;
        };
        /** @description Durations of messages in milliseconds, from the first start to the last end. Percentiles are exact, by nearest rank. Null without messages. */
        MessageDurations: {
            /**
             * Format: double
             * @description The median.
             */
            p50: number;
            /**
             * Format: double
             * @description The 95th percentile.
             */
            p95: number;
            /**
             * Format: double
             * @description The longest duration.
             */
            max: number;
        } | null;
        /** @description The messages with `from_ms <= duration_ms < to_ms`. Both ends are powers of two, except that the band of messages with the duration 0 begins at 0. */
        MessageBand: {
            /**
             * Format: double
             * @description The lower end in milliseconds, which belongs to the band.
             */
            from_ms: number;
            /**
             * Format: double
             * @description The upper end in milliseconds, which does not.
             */
            to_ms: number;
            /**
             * Format: int64
             * @description The number of messages in the band.
             */
            message_count: number;
        };
        /** @description The messages that start in a bucket. Buckets are aligned to the Unix epoch. */
        MessageBucket: {
            at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The number of messages.
             */
            message_count: number;
            /**
             * Format: int64
             * @description The number of messages with status error.
             */
            error_message_count: number;
            duration_ms: components["schemas"]["MessageDurations"];
            /** @description The messages by band of duration, shortest first, without empty bands. Present with `heatmap`. */
            bands?: components["schemas"]["MessageBand"][];
        };
        /** @description The values of the group as texts, in the order of `group_by`; null in the group of messages without them. */
        MessageGroupValues: (string | null)[];
        /** @description One group over time. */
        MessageSeries: {
            values: components["schemas"]["MessageGroupValues"];
            /** @description Every bucket of the window, oldest first. */
            buckets: components["schemas"]["MessageBucket"][];
        };
        /** @description Messages over time. */
        MessageHistogram: {
            /**
             * Format: int64
             * @description The width of a bucket in seconds.
             */
            step_s: number;
            /** @description Every bucket of the window, oldest first. Their counts add up to those of `POST /messages/count`. */
            buckets: components["schemas"]["MessageBucket"][];
            /** @description The largest groups. Present with `group_by`. */
            series?: components["schemas"]["MessageSeries"][];
            /** @description The messages of any other group, each counted once. Present with `group_by`. */
            other?: components["schemas"]["MessageBucket"][];
            /** @description One sentence that describes the query. */
            summary: string;
        };
        /** @description One or two attributes. A message is in a group if one of its matched steps has the values of the group, as texts. It can be in several groups; a message without any is in the group whose values are null. */
        MessageGroupBy: components["schemas"]["MessageAttribute"][];
        /** @description A message query, and the attributes to group by. The window defaults to the last hour. */
        MessageBreakdownRequest: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            integration_id?: components["schemas"]["RecordId"];
            status?: components["schemas"]["MessageStatus"];
            rows?: components["schemas"]["MessageRows"];
            relations?: components["schemas"]["Relations"];
            group_by: components["schemas"]["MessageGroupBy"];
            /**
             * Format: int32
             * @description The maximum number of groups.
             * @default 50
             */
            limit?: number;
        };
        /** @description The messages of one group. */
        MessageGroup: {
            values: components["schemas"]["MessageGroupValues"];
            /**
             * Format: int64
             * @description The number of messages.
             */
            message_count: number;
            /**
             * Format: int64
             * @description The number of messages with status error.
             */
            error_message_count: number;
            /**
             * Format: int64
             * @description The matched steps that have the values of the group; for the group whose values are null, all matched steps of its messages.
             */
            matched_step_count: number;
            duration_ms: components["schemas"]["MessageDurations"];
        };
        /** @description All messages, each counted once. */
        MessageTotal: {
            /**
             * Format: int64
             * @description The number of matching messages.
             */
            message_count: number;
            /**
             * Format: int64
             * @description The number of matching messages with status error.
             */
            error_message_count: number;
            /**
             * Format: int64
             * @description The number of matched steps.
             */
            matched_step_count: number;
            duration_ms: components["schemas"]["MessageDurations"];
        };
        /** @description The messages of each group, and of all. */
        MessageBreakdown: {
            /** @description The largest groups, by `message_count` descending and then by values. */
            groups: components["schemas"]["MessageGroup"][];
            total: components["schemas"]["MessageTotal"];
            /**
             * Format: int64
             * @description The number of all groups.
             */
            group_count: number;
            /**
             * Format: int64
             * @description The number of groups beyond the limit.
             */
            other_group_count: number;
            /** @description One sentence that describes the query. */
            summary: string;
        };
        /** @description Two message queries. Without `b`, the messages of `a` are compared with all others of the same window and integration. Each window defaults to the last hour. */
        MessageComparisonRequest: {
            a: components["schemas"]["MessageFilter"];
            b?: components["schemas"]["MessageFilter"];
        };
        /** @description The compared messages of one side that have such a step. */
        ComparedCount: {
            /**
             * Format: int64
             * @description The number of these messages.
             */
            message_count: number;
            /**
             * Format: double
             * @description The fraction of the compared messages of the side; 0 if the side has none.
             */
            share: number;
        };
        /** @description The messages with a step that carries the key with the value. */
        ComparedPair: {
            /** @description The key of the attribute. */
            key: string;
            /** @description The text of the value, as conditions compare it. */
            value: string;
            a: components["schemas"]["ComparedCount"];
            b: components["schemas"]["ComparedCount"];
        };
        /** @description The messages with a step that carries the key. */
        ComparedKey: {
            /** @description The key of the attribute. */
            key: string;
            a: components["schemas"]["ComparedCount"];
            b: components["schemas"]["ComparedCount"];
        };
        /** @description The compared messages of one side. */
        ComparedMessages: {
            /**
             * Format: int32
             * @description The number of compared messages.
             */
            message_count: number;
            /**
             * Format: int64
             * @description The number of all messages of the side.
             */
            total_message_count: number;
        };
        /** @description The newest 100,000 messages of each side are compared. */
        ComparedSides: {
            a: components["schemas"]["ComparedMessages"];
            b: components["schemas"]["ComparedMessages"];
        };
        /** @description One sentence for each side that describes its messages. */
        ComparedSummaries: {
            /** @description The messages of side `a`. */
            a: string;
            /** @description The messages of side `b`. */
            b: string;
        };
        /** @description How the messages of two sides differ. */
        MessageComparison: {
            /** @description The pairs of key and value with the largest difference of shares, by difference descending, then by key and value. */
            pairs: components["schemas"]["ComparedPair"][];
            /** @description The keys with more than 1,000 values on a side, by the larger share of messages that carry the key, then by key. `pairs` contains none of them. */
            high_cardinality_keys: components["schemas"]["ComparedKey"][];
            /**
             * Format: int64
             * @description The number of all keys with more than 1,000 values on a side.
             */
            high_cardinality_key_count: number;
            compared: components["schemas"]["ComparedSides"];
            summary: components["schemas"]["ComparedSummaries"];
        };
        /**
         * @description The OpenTelemetry kind of a span.
         * @enum {string}
         */
        SpanKind: "internal" | "server" | "client" | "producer" | "consumer" | "unspecified";
        /**
         * @description The status of a span, as it was sent.
         * @enum {string}
         */
        SpanStatus: "unset" | "ok" | "error";
        /**
         * @description An attribute as it was sent, with its OTLP type.
         * @example {
         *       "key": "http.route",
         *       "type": "string",
         *       "value": "/cart"
         *     }
         * @example {
         *       "key": "retry.count",
         *       "type": "int",
         *       "value": 3
         *     }
         * @example {
         *       "key": "order.number",
         *       "type": "int",
         *       "value": "9007199254740993"
         *     }
         * @example {
         *       "key": "tags",
         *       "type": "array",
         *       "value": [
         *         "gold",
         *         7,
         *         "9007199254740993",
         *         true
         *       ]
         *     }
         * @example {
         *       "key": "note",
         *       "type": "unset",
         *       "value": null
         *     }
         */
        Attribute: {
            /** @description Any Unicode string, including the empty string. */
            key: string;
            type: components["schemas"]["AttributeType"];
            /** @description The value as JSON. Strings, booleans and numbers keep their JSON type; an int beyond 2^53 is a string; a double that JSON cannot represent is `"NaN"`, `"Infinity"` or `"-Infinity"`; bytes are base64; an array is a list; a kvlist is an object; unset is null. Whole numbers inside arrays and kvlists that fit in 64 bits count as ints. */
            value: unknown;
        };
        /** @description The instrumentation scope of the span. */
        SpanScope: {
            /** @description The name of the scope. Empty if it was not sent. */
            name: string;
            /** @description The version of the scope. Empty if it was not sent. */
            version: string;
            /** @description The attributes of the scope. */
            attributes: components["schemas"]["Attribute"][];
        };
        /** @description An event of a span. */
        SpanEvent: {
            time: components["schemas"]["Timestamp"];
            /** @description The name of the event. */
            name: string;
            /** @description The attributes of the event. */
            attributes: components["schemas"]["Attribute"][];
            /**
             * Format: int64
             * @description The number of attributes that the sender or this server dropped.
             */
            dropped_attributes_count: number;
        };
        /** @description A link from a span to a span of the same or another trace. Ids that were not sent are null; attributes then identify what is linked. */
        SpanLink: {
            /** @description The trace id of the linked span. */
            trace_id: string | null;
            /** @description The id of the linked span. */
            span_id: string | null;
            /** @description The W3C trace state of the linked span. Empty if it was not sent. */
            trace_state: string;
            /**
             * Format: int64
             * @description The OTLP flags, an unsigned 32-bit integer.
             */
            flags: number;
            /** @description The attributes of the link. */
            attributes: components["schemas"]["Attribute"][];
            /**
             * Format: int64
             * @description The number of attributes that the sender or this server dropped.
             */
            dropped_attributes_count: number;
        };
        /** @description A complete step of a message. */
        Span: {
            span_id: components["schemas"]["SpanId"];
            /** @description The id of the parent as it was sent, even if that span is missing; null for a root. */
            parent_span_id: string | null;
            /** @description The name of the span. */
            name: string;
            /** @description The service of the span; `unknown_service` if its resource names none. */
            service: string;
            kind: components["schemas"]["SpanKind"];
            status: components["schemas"]["SpanStatus"];
            /** @description The message of the status. Empty if it was not sent. */
            status_message: string;
            started_at: components["schemas"]["Timestamp"];
            duration_ns: components["schemas"]["Nanoseconds"];
            /**
             * Format: int64
             * @description The distance from the root of its tree; 0 for a root and for a span whose parent is missing.
             */
            depth: number;
            /**
             * Format: int64
             * @description The position in tree order, from 0. Every span precedes its descendants; siblings are ordered by start.
             */
            position: number;
            scope: components["schemas"]["SpanScope"];
            /** @description The W3C trace state. Empty if it was not sent. */
            trace_state: string;
            /**
             * Format: int64
             * @description The OTLP flags, an unsigned 32-bit integer.
             */
            flags: number;
            /** @description The span's key attributes for the facets of its service, in the order of the facets. Attributes that the span lacks are read from its resource. Facets are detected from the spans of this message by `io.kind` and classification rules; overrides apply. */
            key_attributes: components["schemas"]["Attribute"][];
            /** @description The attributes of the span. */
            attributes: components["schemas"]["Attribute"][];
            /** @description The attributes of the resource that sent the span. */
            resource_attributes: components["schemas"]["Attribute"][];
            /** @description The events of the span. */
            events: components["schemas"]["SpanEvent"][];
            /** @description The links of the span. */
            links: components["schemas"]["SpanLink"][];
            /**
             * Format: int64
             * @description The number of attributes that the sender or this server dropped.
             */
            dropped_attributes_count: number;
            /**
             * Format: int64
             * @description The number of events that the sender dropped.
             */
            dropped_events_count: number;
            /**
             * Format: int64
             * @description The number of links that the sender dropped, and of those that this server dropped.
             */
            dropped_links_count: number;
        };
        /** @description A message with all of its steps in tree order. */
        MessageDetail: {
            trace_id: components["schemas"]["TraceId"];
            /** @description All steps of the message, in tree order. */
            spans: components["schemas"]["Span"][];
        };
        /** @description Plain text. */
        Text: string;
        /** @description A step of an explained message. */
        ExplainedStep: {
            span_id: components["schemas"]["SpanId"];
            service: components["schemas"]["Text"];
            name: components["schemas"]["Text"];
            started_at: components["schemas"]["Timestamp"];
        };
        /** @description The number of steps, and the oldest 20 of them. */
        ExplainedSteps: {
            /**
             * Format: int64
             * @description The number of all these steps.
             */
            count: number;
            /** @description The oldest of them, oldest first. */
            steps: components["schemas"]["ExplainedStep"][];
        };
        /** @description A step of an explained message, with its value of the attribute of a row. */
        ExplainedValue: {
            span_id: components["schemas"]["SpanId"];
            service: components["schemas"]["Text"];
            name: components["schemas"]["Text"];
            started_at: components["schemas"]["Timestamp"];
            type: components["schemas"]["AttributeType"];
            /** @description The value in the type that it was sent with, as in `Attribute`. */
            value: unknown;
        };
        /** @description The number of steps, and the oldest 20 of them with their values. */
        ExplainedValues: {
            /**
             * Format: int64
             * @description The number of all these steps.
             */
            count: number;
            /** @description The oldest of them, oldest first. */
            steps: components["schemas"]["ExplainedValue"][];
        };
        /** @description A row of the filter, in the order of the request. A positive row that fails has `nearest`, the steps that carry the attribute with another value, or `absent`. A negative row that fails has `refuted_by`. A row on a field of the message has its `value`. */
        ExplainedRow: {
            /** @description The row in words, as in the summary of the filter. */
            summary: string;
            /** @description Whether some step makes the row true; for a negative row, whether no step of the message refutes it. */
            holds: boolean;
            witnesses: components["schemas"]["ExplainedSteps"];
            nearest?: components["schemas"]["ExplainedValues"];
            /** @description True if no step carries the attribute. */
            absent?: boolean;
            refuted_by?: components["schemas"]["ExplainedValues"];
            /** @description The value of a field of the message, as text. Missing for other rows, and if no step of the message starts in the window. */
            value?: string;
        };
        /** @description A relation of the filter, in the order of the request. */
        ExplainedRelation: {
            /** @description The relation in words, as in the summary of the filter. */
            summary: string;
            /** @description Whether the message satisfies the relation. */
            holds: boolean;
            witnesses: components["schemas"]["ExplainedSteps"];
            from: components["schemas"]["ExplainedSteps"];
            to: components["schemas"]["ExplainedSteps"];
        };
        /** @description The step that satisfies most positive rows, and the positions of the rows that it misses. */
        ClosestStep: {
            step: components["schemas"]["ExplainedStep"];
            /** @description The positions in `rows`, from 0. */
            misses: number[];
        };
        /** @description The steps that satisfy every positive row, and the oldest 20 of them. */
        ExplainedAnchors: {
            /**
             * Format: int64
             * @description The number of all these steps.
             */
            count: number;
            /** @description The oldest of them, oldest first. */
            steps: components["schemas"]["ExplainedStep"][];
            closest?: components["schemas"]["ClosestStep"];
        };
        /**
         * @description How the rules of an integration combine. `any` selects the spans that satisfy at least one rule. `all` selects these spans only in traces in which every rule is satisfied by some span.
         * @enum {string}
         */
        RuleMatch: "any" | "all";
        /** @description A rule of the integration. */
        ExplainedRule: {
            /** @description One sentence that describes the rule. */
            summary: string;
            /** @description Whether some step of the message satisfies the rule. */
            satisfied: boolean;
            witnesses: components["schemas"]["ExplainedSteps"];
            /**
             * Format: int64
             * @description The number of steps that are in the slice only because they are below a step of this rule.
             */
            descendant_count: number;
        };
        /** @description How the integration of the filter applies to the message. */
        ExplainedIntegration: {
            rule_match: components["schemas"]["RuleMatch"];
            /**
             * Format: int64
             * @description The number of steps of the message in the slice of the integration.
             */
            span_count: number;
            /** @description Whether `rule_match` is `all` and several rules name one service. Each of them must be satisfied. */
            or_under_all: boolean;
            /** @description The rules of the integration, in the order of their first matchers. */
            rules: components["schemas"]["ExplainedRule"][];
        };
        /** @description The status that the filter requires, or null, and that of the message; null without matched steps. */
        ExplainedStatus: {
            /** @description The status that the filter requires. */
            asked: components["schemas"]["MessageStatus"] | null;
            /** @description The status of the message. */
            found: components["schemas"]["MessageStatus"] | null;
        };
        /** @description The number of steps that the filter leaves out and that would change whether a row holds: those that start outside the window, and those in the window that are not in the slice of the integration. */
        ExplainedOutside: {
            /**
             * Format: int64
             * @description The number of steps that start outside the window.
             */
            window: number;
            /**
             * Format: int64
             * @description The number of steps in the window that are not in the slice of the integration.
             */
            slice: number;
        };
        /** @description Whether a message matches a filter, and what decides it. */
        MessageExplanation: {
            trace_id: components["schemas"]["TraceId"];
            /** @description Whether a search with the filter finds the message. */
            matches: boolean;
            /** @description One sentence that says whether the message matches and, if not, why. */
            verdict: string;
            /** @description The rows of the filter. */
            rows: components["schemas"]["ExplainedRow"][];
            /** @description The relations of the filter. */
            relations: components["schemas"]["ExplainedRelation"][];
            anchors: components["schemas"]["ExplainedAnchors"];
            integration?: components["schemas"]["ExplainedIntegration"];
            status: components["schemas"]["ExplainedStatus"];
            outside: components["schemas"]["ExplainedOutside"];
        };
        /** @description One text per span, as distinct texts and the position of each span's text among them. */
        IndexedTexts: {
            /** @description The distinct texts. */
            dictionary: string[];
            /** @description The position in `dictionary` of the text of each span, from 0. */
            positions: number[];
        };
        /**
         * @description Nanoseconds. An integer beyond 2^53, which a JSON number cannot hold exactly, is a string.
         * @example 49999999
         * @example 9007199254740993
         */
        ExactNanoseconds: number | string;
        /** @description The outlines of all spans of a message as arrays of equal length in tree order: every span precedes its descendants, siblings and roots are ordered by start, then by span id. A span whose parent is missing is a root. Of a cycle, the first span counts as a root, after all other roots. */
        MessageSkeleton: {
            trace_id: components["schemas"]["TraceId"];
            started_at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The number of spans, which is the length of every array.
             */
            span_count: number;
            /** @description The id of each span. */
            span_ids: components["schemas"]["SpanId"][];
            /** @description The position of each span's parent; -1 for a root. */
            parents: number[];
            /** @description The distance of each span from the root of its tree. */
            depths: number[];
            services: components["schemas"]["IndexedTexts"];
            names: components["schemas"]["IndexedTexts"];
            /** @description The time from `started_at` to the start of each span. */
            start_offset_ns: components["schemas"]["ExactNanoseconds"][];
            /** @description The duration of each span. */
            duration_ns: components["schemas"]["ExactNanoseconds"][];
            /** @description The kinds as OTLP numbers, 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
            kinds: number[];
            /** @description The statuses as OTLP numbers, 0 unset, 1 ok, 2 error. */
            statuses: number[];
            /** @description 1 for each matched step of the filter, otherwise 0. Present if the request contains a filter. All are 0 if the message does not match it. */
            matched?: number[];
        };
        /** @description An OTLP `ResourceSpans`; see opentelemetry/proto/trace/v1/trace.proto. */
        ResourceSpans: {
            [key: string]: unknown;
        };
        /** @description An OTLP `ExportTraceServiceRequest` in the JSON mapping of OTLP 1.x. Unknown fields are ignored, ids are hexadecimal in either case, 64-bit integers are strings or numbers. */
        ExportTraceServiceRequest: {
            /** @description The spans, grouped by resource. */
            resourceSpans?: components["schemas"]["ResourceSpans"][];
        };
        /**
         * Format: binary
         * @description The protobuf encoding of the OTLP 1.x message of the same name.
         */
        Protobuf: string;
        /** @description A span that links to another one. */
        LinkingSpan: {
            trace_id: components["schemas"]["TraceId"];
            span_id: components["schemas"]["SpanId"];
            /** @description The service of the span. */
            service: string;
            /** @description The name of the span. */
            name: string;
            started_at: components["schemas"]["Timestamp"];
        };
        /** @description The visible spans of a window that link to a span. */
        LinkedFrom: {
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The number of all these spans.
             */
            span_count: number;
            /** @description The newest of them, newest first. */
            spans: components["schemas"]["LinkingSpan"][];
        };
        /** @description A complete step of a message, with the links to it. */
        SpanDetail: {
            span_id: components["schemas"]["SpanId"];
            /** @description The id of the parent as it was sent, even if that span is missing; null for a root. */
            parent_span_id: string | null;
            /** @description The name of the span. */
            name: string;
            /** @description The service of the span; `unknown_service` if its resource names none. */
            service: string;
            kind: components["schemas"]["SpanKind"];
            status: components["schemas"]["SpanStatus"];
            /** @description The message of the status. Empty if it was not sent. */
            status_message: string;
            started_at: components["schemas"]["Timestamp"];
            duration_ns: components["schemas"]["Nanoseconds"];
            /**
             * Format: int64
             * @description The distance from the root of its tree; 0 for a root and for a span whose parent is missing.
             */
            depth: number;
            /**
             * Format: int64
             * @description The position in tree order, from 0. Every span precedes its descendants; siblings are ordered by start.
             */
            position: number;
            scope: components["schemas"]["SpanScope"];
            /** @description The W3C trace state. Empty if it was not sent. */
            trace_state: string;
            /**
             * Format: int64
             * @description The OTLP flags, an unsigned 32-bit integer.
             */
            flags: number;
            /** @description The span's key attributes for the facets of its service, in the order of the facets. Attributes that the span lacks are read from its resource. Facets are detected from the spans of this message by `io.kind` and classification rules; overrides apply. */
            key_attributes: components["schemas"]["Attribute"][];
            /** @description The attributes of the span. */
            attributes: components["schemas"]["Attribute"][];
            /** @description The attributes of the resource that sent the span. */
            resource_attributes: components["schemas"]["Attribute"][];
            /** @description The events of the span. */
            events: components["schemas"]["SpanEvent"][];
            /** @description The links of the span. */
            links: components["schemas"]["SpanLink"][];
            /**
             * Format: int64
             * @description The number of attributes that the sender or this server dropped.
             */
            dropped_attributes_count: number;
            /**
             * Format: int64
             * @description The number of events that the sender dropped.
             */
            dropped_events_count: number;
            /**
             * Format: int64
             * @description The number of links that the sender dropped, and of those that this server dropped.
             */
            dropped_links_count: number;
            linked_from: components["schemas"]["LinkedFrom"];
        };
        /**
         * @description An opaque position in a list, valid only for the query that produced it.
         * @example eyJzIjoiMjAyNi0wMy0wMVQwOTowMDowMFoifQ
         */
        Cursor: string;
        /**
         * @description The body of a log record with its OTLP type. A record sent without a body has the type `unset`.
         * @example {
         *       "type": "string",
         *       "value": "payment declined"
         *     }
         * @example {
         *       "type": "kvlist",
         *       "value": {
         *         "order": 7,
         *         "reason": "no stock"
         *       }
         *     }
         */
        LogBody: {
            type: components["schemas"]["AttributeType"];
            /** @description The value as JSON, in the same form as in `Attribute`. */
            value: unknown;
        };
        /** @description A complete log record. */
        LogRecord: {
            /** @description Assigned when the record is stored. Distinguishes records that are otherwise identical. */
            id: string;
            time: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description The event timestamp as it was sent. null if it was not sent. Takes precedence in `time`.
             */
            event_time: string | null;
            /**
             * Format: date-time
             * @description The observed timestamp as it was sent. null if it was not sent. Used as `time` if there is no event timestamp.
             */
            observed_time: string | null;
            /** @description The service that sent the record; `unknown_service` if its resource names none. */
            service: string;
            /** @description The severity text as it was sent. */
            severity: string;
            /**
             * Format: int64
             * @description The OTLP severity number as it was sent, from 1 to 24, or 0 if unspecified.
             */
            severity_number: number;
            body: components["schemas"]["LogBody"];
            /** @description The name of the event. Empty if it was not sent. */
            event_name: string;
            /** @description The trace id of the message that the record belongs to. null if it belongs to none. */
            trace_id: string | null;
            /** @description The span id of the step that the record belongs to. null if it belongs to none. */
            span_id: string | null;
            /**
             * Format: int64
             * @description The OTLP flags, an unsigned 32-bit integer.
             */
            flags: number;
            scope: components["schemas"]["SpanScope"];
            /** @description The attributes of the record. */
            attributes: components["schemas"]["Attribute"][];
            /**
             * Format: int64
             * @description The number of attributes that the sender or this server dropped.
             */
            dropped_attributes_count: number;
            /** @description The attributes of the resource that sent the record. */
            resource_attributes: components["schemas"]["Attribute"][];
        };
        /** @description A page of the log records of a message. */
        MessageLogPage: {
            /** @description The log records of this page. */
            items: components["schemas"]["LogRecord"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * @description The source of an attribute. `any` reads the attribute of the log record if it has the key, otherwise the resource attribute. `intrinsic` reads the fields that every record has: `service`, `severity` (its text), `severity_number`, `body`, `trace_id`, `span_id`. Fields that were not sent are empty texts, except `severity_number`, which is 0.
         * @enum {string}
         */
        LogAttributeSource: "any" | "log" | "resource" | "intrinsic";
        /**
         * @description A condition on the value of an attribute. `neq` and `not_contains` also match records without the attribute.
         * @example {
         *       "attribute_source": "intrinsic",
         *       "attribute_key": "body",
         *       "operator": "contains",
         *       "value": "declined"
         *     }
         * @example {
         *       "attribute_source": "intrinsic",
         *       "attribute_key": "severity_number",
         *       "operator": "gte",
         *       "value": 17
         *     }
         * @example {
         *       "attribute_source": "log",
         *       "attribute_key": "tenant",
         *       "operator": "neq",
         *       "value": "t-1"
         *     }
         */
        LogValueCondition: {
            attribute_source?: components["schemas"]["LogAttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
            /**
             * @description How the attribute is compared with `value`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            operator: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "matches" | "gt" | "gte" | "lt" | "lte";
            value: components["schemas"]["ConditionValue"];
        };
        /**
         * @description A condition on the presence of an attribute. `not_exists` matches the records without it.
         * @example {
         *       "attribute_source": "any",
         *       "attribute_key": "exception.type",
         *       "operator": "exists"
         *     }
         */
        LogPresenceCondition: {
            attribute_source?: components["schemas"]["LogAttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
            /**
             * @description Whether the attribute must be present or absent. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            operator: "exists" | "not_exists";
            /** @description Ignored. */
            value?: unknown;
        };
        /** @description A condition on one log record. `exists` and `not_exists` need no value; all other operators require one. */
        LogCondition: components["schemas"]["LogValueCondition"] | components["schemas"]["LogPresenceCondition"];
        /** @description A log query and what to export of its records. All conditions must be true of one record. The window defaults to the last hour. */
        LogExport: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            /** @description Conditions on one log record. All must be true. */
            conditions?: components["schemas"]["LogCondition"][];
            order?: components["schemas"]["ExportOrder"];
            limit?: components["schemas"]["ExportLimit"];
        };
        /** @description An OTLP `ResourceLogs`; see opentelemetry/proto/logs/v1/logs.proto. */
        ResourceLogs: {
            [key: string]: unknown;
        };
        /** @description An OTLP `ExportLogsServiceRequest` in the JSON mapping of OTLP 1.x. Unknown fields are ignored, ids are hexadecimal in either case, 64-bit integers are strings or numbers. */
        ExportLogsServiceRequest: {
            /** @description The log records, grouped by resource. */
            resourceLogs?: components["schemas"]["ResourceLogs"][];
        };
        /** @description A log query and the page to return. All conditions must be true of one record. The window defaults to the last hour. */
        LogSearch: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            /** @description Conditions on one log record. All must be true. */
            conditions?: components["schemas"]["LogCondition"][];
            /**
             * Format: int64
             * @description States the window in `summary` as `in the last …`, in place of `from` and `to`, which select the records. For windows that ended when they were requested.
             */
            summary_last_s?: number;
            limit?: components["schemas"]["PageSize"];
            /** @description The `next_cursor` of the previous page; null or absent for the first page. */
            cursor?: string | null;
        };
        /** @description A page of log records. */
        LogPage: {
            /** @description The log records of this page. */
            items: components["schemas"]["LogRecord"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
            /** @description One sentence that describes the query. */
            summary: string;
        };
        /**
         * @description The name, unique within the organization.
         * @example Checkout
         */
        IntegrationName: string;
        /** @description A description of the integration. */
        IntegrationDescription: string;
        /**
         * @description The group of a matcher. The matchers of a group form one rule: they name the same service, and all of their conditions must hold. A matcher without a group is a rule of its own.
         * @example a
         */
        MatchGroup: string;
        /**
         * @description The name of a service; in a matcher with `service_match` `pattern`, a pattern over names.
         * @example checkout
         */
        ServiceName: string;
        /**
         * @description How a service is matched. `exact` compares the whole name. `pattern` is a glob over the whole name: `*` matches any sequence of characters, `?` matches one character, and every other character matches itself.
         * @enum {string}
         */
        ServiceMatch: "exact" | "pattern";
        /**
         * @description How the attribute is tested. `exists` and `not_exists` ignore any value.
         * @enum {string}
         */
        MatcherOperator: "equals" | "not_equals" | "contains" | "not_contains" | "prefix" | "suffix" | "regex" | "exists" | "not_exists";
        /** @description A service, and at most one condition on an attribute of its spans. Without a condition every span of the service matches. */
        Matcher: {
            id: components["schemas"]["RecordId"];
            match_group: components["schemas"]["MatchGroup"];
            service: components["schemas"]["ServiceName"];
            service_match: components["schemas"]["ServiceMatch"];
            attribute_source?: components["schemas"]["AttributeSource"];
            attribute_key?: components["schemas"]["AttributeKey"];
            operator?: components["schemas"]["MatcherOperator"];
            /** @description The value to compare with, as it was sent. */
            value?: string | number | boolean;
            /** @description Whether the rule also selects the descendants of each span that satisfies it, in every service that the integration names. Applies to the whole group if one of its matchers sets it. */
            include_descendants: boolean;
        };
        /**
         * @description A warning. `or_under_all`: the integration was imported with `rule_match` `all` and more than one group for the same service; each group is a rule that must be satisfied.
         * @enum {string}
         */
        IntegrationFlag: "or_under_all";
        /**
         * Format: int64
         * @description The version of the record. Increases by one with every change and is also its entity tag.
         * @example 3
         */
        Version: number;
        /** @description A named subset of the traffic, selected by rules. Everything reported about an integration is computed from the spans that its rules select. */
        Integration: {
            id: components["schemas"]["RecordId"];
            name: components["schemas"]["IntegrationName"];
            description: components["schemas"]["IntegrationDescription"];
            rule_match: components["schemas"]["RuleMatch"];
            /** @description The matchers of the integration. */
            matchers: components["schemas"]["Matcher"][];
            /** @description Warnings about the integration. */
            flags: components["schemas"]["IntegrationFlag"][];
            version: components["schemas"]["Version"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description A page of integrations. */
        IntegrationPage: {
            /** @description The integrations of this page. */
            items: components["schemas"]["Integration"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * @description A service, and at most one condition on an attribute of its spans. Without `attribute_key` every span of the service matches. All matchers in a group must name the same service with the same `service_match`.
         * @example {
         *       "service": "checkout"
         *     }
         * @example {
         *       "match_group": "a",
         *       "service": "checkout",
         *       "service_match": "exact",
         *       "attribute_source": "any",
         *       "attribute_key": "tenant",
         *       "operator": "equals",
         *       "value": "t-1",
         *       "include_descendants": true
         *     }
         * @example {
         *       "service": "payment-*",
         *       "service_match": "pattern",
         *       "attribute_source": "span",
         *       "attribute_key": "retry.count",
         *       "operator": "not_exists"
         *     }
         */
        MatcherInput: {
            /** @description The id of an existing matcher to keep. An unknown id is replaced with a new one. */
            id?: string;
            match_group?: components["schemas"]["MatchGroup"];
            service: components["schemas"]["ServiceName"];
            service_match?: components["schemas"]["ServiceMatch"];
            attribute_source?: components["schemas"]["AttributeSource"];
            attribute_key?: components["schemas"]["AttributeKey"];
            operator?: components["schemas"]["MatcherOperator"];
            /** @description A string, number or boolean to compare with. Integers beyond 2^53 must be sent as a string; `regex` requires an RE2 regular expression of at most 1,000 characters. Ignored by `exists` and `not_exists`. null means no value. */
            value?: unknown;
            /**
             * @description Whether the rule also selects the descendants of each span that satisfies it, in every service that the integration names. Applies to the whole group if one of its matchers sets it.
             * @default false
             */
            include_descendants?: boolean;
        };
        /** @description A new integration. `rule_match` defaults to `any`. An integration without matchers selects no spans. Read-only and ignored, so that an `Integration` can be sent back as it was read: `id`, `flags`, `version`, `created_at`, `updated_at`. */
        IntegrationCreate: {
            name: components["schemas"]["IntegrationName"];
            description?: components["schemas"]["IntegrationDescription"];
            rule_match?: components["schemas"]["RuleMatch"];
            /** @description The matchers of the integration. */
            matchers?: components["schemas"]["MatcherInput"][];
            id?: components["schemas"]["RecordId"];
            /** @description Warnings about the integration. */
            flags?: components["schemas"]["IntegrationFlag"][];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /** @description The integration to evaluate, which is not stored, and the window, which defaults to the last hour. Read-only and ignored, so that an `Integration` can be sent back as it was read: `id`, `flags`, `version`, `created_at`, `updated_at`. */
        IntegrationPreviewRequest: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            name?: components["schemas"]["IntegrationName"];
            description?: components["schemas"]["IntegrationDescription"];
            rule_match?: components["schemas"]["RuleMatch"];
            /** @description The matchers of the integration. */
            matchers: components["schemas"]["MatcherInput"][];
            id?: components["schemas"]["RecordId"];
            /** @description Warnings about the integration. */
            flags?: components["schemas"]["IntegrationFlag"][];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /** @description One rule of an integration, with a description and the counts of the spans that it selects on its own. */
        RulePreview: {
            /** @description The group as it was sent; null for a matcher without a group. */
            match_group: string | null;
            /** @description One sentence that describes the rule. */
            summary: string;
            /**
             * Format: int64
             * @description The number of messages with a selected span.
             */
            trace_count: number;
            /**
             * Format: int64
             * @description The number of messages with a selected span whose status is error.
             */
            error_trace_count: number;
            /**
             * Format: int64
             * @description The number of selected spans.
             */
            span_count: number;
            /**
             * Format: int64
             * @description The number of selected spans with status error.
             */
            error_span_count: number;
        };
        /** @description The counts of an integration, in total and for each rule. */
        IntegrationPreview: {
            /**
             * Format: int64
             * @description The number of messages with a span in the integration.
             */
            trace_count: number;
            /**
             * Format: int64
             * @description The number of messages with a span in the integration whose status is error.
             */
            error_trace_count: number;
            /**
             * Format: int64
             * @description The number of spans in the integration.
             */
            span_count: number;
            /**
             * Format: int64
             * @description The number of these spans with status error.
             */
            error_span_count: number;
            /** @description The services with a span in the integration, ordered by code point. */
            services: components["schemas"]["Text"][];
            /** @description Problems for which the integration would be refused if it were saved. */
            flags: components["schemas"]["IntegrationFlag"][];
            /** @description One entry for each group, in the order of their first matchers. */
            rules: components["schemas"]["RulePreview"][];
        };
        /**
         * @description One or more entity tags as in `ETag`, separated by commas, or `*` for any version.
         * @example "3"
         */
        EntityTags: string;
        /** @description The fields to update. Omitted fields keep their values. Read-only and ignored, so that an `Integration` can be sent back as it was read: `id`, `flags`, `version`, `created_at`, `updated_at`. */
        IntegrationUpdate: {
            name?: components["schemas"]["IntegrationName"];
            description?: components["schemas"]["IntegrationDescription"];
            rule_match?: components["schemas"]["RuleMatch"];
            /** @description The matchers of the integration. They replace all existing ones. */
            matchers?: components["schemas"]["MatcherInput"][];
            id?: components["schemas"]["RecordId"];
            /** @description Warnings about the integration. */
            flags?: components["schemas"]["IntegrationFlag"][];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /** @description The complete list of matchers. If `rule_match` is omitted, it keeps its value. The name and the description do not change. Read-only and ignored, so that an `Integration` can be sent back as it was read: `id`, `name`, `description`, `flags`, `version`, `created_at`, `updated_at`. */
        MatcherReplacement: {
            /** @description The matchers of the integration. They replace all existing ones. */
            matchers: components["schemas"]["MatcherInput"][];
            rule_match?: components["schemas"]["RuleMatch"];
            id?: components["schemas"]["RecordId"];
            name?: components["schemas"]["IntegrationName"];
            description?: components["schemas"]["IntegrationDescription"];
            /** @description Warnings about the integration. */
            flags?: components["schemas"]["IntegrationFlag"][];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /** @description The name of the new integration. */
        IntegrationClone: {
            name: components["schemas"]["IntegrationName"];
        };
        /** @description Exact counts of an integration in the window. */
        IntegrationStats: {
            /**
             * Format: int64
             * @description The number of messages with a span in the integration.
             */
            trace_count: number;
            /**
             * Format: int64
             * @description The number of messages with a span in the integration whose status is error.
             */
            error_trace_count: number;
            /**
             * Format: int64
             * @description The number of spans in the integration.
             */
            span_count: number;
            /**
             * Format: int64
             * @description The number of these spans with status error.
             */
            error_span_count: number;
            /** @description The services with a span in the integration, ordered by code point. */
            services: components["schemas"]["Text"][];
        };
        /** @description One service of the integration. */
        FlowNode: {
            /** @description The name of the service. */
            service: string;
            /**
             * Format: int64
             * @description The number of its spans in the integration.
             */
            span_count: number;
            /**
             * Format: int64
             * @description The number of these spans with status error.
             */
            error_count: number;
            /** @description The slugs of the service's facets. */
            facets: components["schemas"]["Text"][];
        };
        /** @description The calls from one service to another: spans whose nearest ancestor within the integration is in the service `from`. */
        FlowEdge: {
            /** @description The calling service. */
            from: string;
            /** @description The called service. */
            to: string;
            /**
             * Format: int64
             * @description The number of calls.
             */
            call_count: number;
            /**
             * Format: int64
             * @description The number of calls with status error.
             */
            error_count: number;
            /**
             * Format: double
             * @description The median duration of the calls, in milliseconds.
             */
            p50_ms: number;
            /**
             * Format: double
             * @description The 95th percentile of the durations of the calls, in milliseconds.
             */
            p95_ms: number;
        };
        /** @description The services of an integration and the calls between them. */
        FlowGraph: {
            /** @description The services. */
            nodes: components["schemas"]["FlowNode"][];
            /** @description The calls between them. */
            edges: components["schemas"]["FlowEdge"][];
        };
        /** @description The proposed `matchers` and `rule_match` of an integration, which are not stored, and the window, which defaults to the last hour. Omitted fields keep the values of the integration. Read-only and ignored, so that an `Integration` can be sent back as it was read: `id`, `name`, `description`, `flags`, `version`, `created_at`, `updated_at`. */
        IntegrationDiffRequest: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            rule_match?: components["schemas"]["RuleMatch"];
            /** @description The matchers of the integration. They replace all existing ones. */
            matchers?: components["schemas"]["MatcherInput"][];
            id?: components["schemas"]["RecordId"];
            name?: components["schemas"]["IntegrationName"];
            description?: components["schemas"]["IntegrationDescription"];
            /** @description Warnings about the integration. */
            flags?: components["schemas"]["IntegrationFlag"][];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /** @description How many spans or messages would enter the integration, leave it, and stay in it. */
        SliceMoves: {
            /**
             * Format: int64
             * @description The number that only the proposed integration selects.
             */
            entering: number;
            /**
             * Format: int64
             * @description The number that only the current integration selects.
             */
            leaving: number;
            /**
             * Format: int64
             * @description The number that both select.
             */
            staying: number;
        };
        /** @description A message by its trace id. */
        MessageReference: {
            trace_id: components["schemas"]["TraceId"];
            started_at: components["schemas"]["Timestamp"];
        };
        /** @description The changes of one service. A message is in the integration for the service if one of its spans in the integration belongs to the service. */
        IntegrationDiffService: {
            service: components["schemas"]["Text"];
            spans: components["schemas"]["SliceMoves"];
            messages: components["schemas"]["SliceMoves"];
            /** @description The newest messages that would enter for this service, newest first. */
            newest_entering: components["schemas"]["MessageReference"][];
            /** @description The newest messages that would leave for this service, newest first. */
            newest_leaving: components["schemas"]["MessageReference"][];
        };
        /**
         * @description The name, unique among the alert rules of the organization.
         * @example Checkout fails
         */
        AlertRuleName: string;
        /** @description A value of an alert rule, and whether it passes the threshold. */
        AlertRuleReading: {
            /**
             * Format: double
             * @description null means no data.
             */
            value: number | null;
            /** @description Whether the comparison of the value with the threshold is true. */
            violated: boolean;
        };
        /** @description An alert rule over the integration, with its value at the end of the window before and after the change. The value is measured over the window of the rule. */
        AffectedAlertRule: {
            id: components["schemas"]["RecordId"];
            name: components["schemas"]["AlertRuleName"];
            /** @description Whether the rule is evaluated. */
            enabled: boolean;
            before: components["schemas"]["AlertRuleReading"];
            after: components["schemas"]["AlertRuleReading"];
        };
        /**
         * @description The subject of a caller: the claim `sub` of a JWT, or `key:` and the id of an API key.
         * @example ada
         */
        Subject: string;
        /** @description The grants of the integration. Their subjects would see the proposed integration in place of this one. */
        AffectedGrants: {
            /**
             * Format: int64
             * @description The number of subjects that the integration is granted to.
             */
            subject_count: number;
            /** @description The subjects, ordered by code point. Present only for callers who can read grants. */
            subjects?: components["schemas"]["Subject"][];
        };
        /** @description What would change if an integration were updated. Messages are those with a span in the integration. */
        IntegrationDiff: {
            integration_version: components["schemas"]["Version"];
            spans: components["schemas"]["SliceMoves"];
            messages: components["schemas"]["SliceMoves"];
            /** @description The newest messages that would enter, newest first. Their matched steps are their spans in the proposed integration. */
            newest_entering: components["schemas"]["Message"][];
            /** @description The newest messages that would leave, newest first. Their matched steps are their spans in the integration as it is. */
            newest_leaving: components["schemas"]["Message"][];
            /** @description The services with a span in the integration before or after the change: at most 200, those with the most spans that enter or leave first, then by name. */
            services: components["schemas"]["IntegrationDiffService"][];
            /**
             * Format: int64
             * @description The number of these services, including those that are not listed.
             */
            service_count: number;
            /** @description The alert rules over the integration, in the order of their names, at most 100. */
            alert_rules: components["schemas"]["AffectedAlertRule"][];
            /**
             * Format: int64
             * @description The number of alert rules over the integration, including those that are not listed.
             */
            alert_rule_count: number;
            grants: components["schemas"]["AffectedGrants"];
        };
        /** @description The subjects with the role `restricted` that can see the spans of an integration. */
        Grants: {
            /** @description The subjects, ordered by code point. */
            subjects: components["schemas"]["Subject"][];
            version: components["schemas"]["Version"];
        };
        /** @description The complete list of subjects to grant the integration to. Duplicates are ignored. Read-only and ignored, so that a `Grants` can be sent back as it was read: `version`. */
        GrantsReplacement: {
            /** @description The subjects. */
            subjects: components["schemas"]["Subject"][];
            version?: components["schemas"]["Version"];
        };
        /**
         * @description The name, unique within the organization.
         * @example Failed checkouts
         */
        SavedViewName: string;
        /** @description What the view is used for. */
        SavedViewDescription: string;
        /**
         * @description A fixed window `[from, to)`.
         * @example {
         *       "kind": "absolute",
         *       "from": "2026-03-01T09:00:00Z",
         *       "to": "2026-03-01T10:00:00Z"
         *     }
         */
        AbsoluteWindow: {
            /**
             * @description The window is fixed. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "absolute";
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
        };
        /** @description The window of a view. Defaults to the last hour. */
        SavedViewWindow: components["schemas"]["RelativeWindow"] | components["schemas"]["AbsoluteWindow"];
        /**
         * @description A warning. `integration_deleted`: the integration of the view has been deleted. The view cannot be run until its integration is replaced or removed.
         * @enum {string}
         */
        SavedViewFlag: "integration_deleted";
        /** @description A stored message search: rows, integration, status and window, as they were sent. Fields that were omitted are absent and have the defaults of a search. */
        SavedView: {
            id: components["schemas"]["RecordId"];
            name: components["schemas"]["SavedViewName"];
            description: components["schemas"]["SavedViewDescription"];
            rows: components["schemas"]["MessageRows"];
            relations?: components["schemas"]["Relations"];
            order?: components["schemas"]["MessageOrder"];
            columns?: components["schemas"]["MessageColumns"];
            integration_id?: components["schemas"]["RecordId"];
            status?: components["schemas"]["MessageStatus"];
            window: components["schemas"]["SavedViewWindow"];
            /** @description One sentence that describes the query. */
            summary: string;
            /** @description Warnings about the view. */
            flags: components["schemas"]["SavedViewFlag"][];
            version: components["schemas"]["Version"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description A page of saved views. */
        SavedViewPage: {
            /** @description The saved views of this page. */
            items: components["schemas"]["SavedView"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A new view. A view without rows, integration and status finds all messages in its window. Read-only and ignored, so that a `SavedView` can be sent back as it was read: `id`, `summary`, `flags`, `version`, `created_at`, `updated_at`. */
        SavedViewCreate: {
            name: components["schemas"]["SavedViewName"];
            description?: components["schemas"]["SavedViewDescription"];
            rows?: components["schemas"]["MessageRows"];
            relations?: components["schemas"]["Relations"];
            order?: components["schemas"]["MessageOrder"];
            columns?: components["schemas"]["MessageColumns"];
            integration_id?: components["schemas"]["RecordId"];
            status?: components["schemas"]["MessageStatus"];
            window?: components["schemas"]["SavedViewWindow"];
            id?: components["schemas"]["RecordId"];
            /** @description One sentence that describes the query. */
            summary?: string;
            /** @description Warnings about the view. */
            flags?: components["schemas"]["SavedViewFlag"][];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /** @description The fields to update. Omitted fields keep their values; null removes the integration or the status. Read-only and ignored, so that a `SavedView` can be sent back as it was read: `id`, `summary`, `flags`, `version`, `created_at`, `updated_at`. */
        SavedViewUpdate: {
            name?: components["schemas"]["SavedViewName"];
            description?: components["schemas"]["SavedViewDescription"];
            rows?: components["schemas"]["MessageRows"];
            relations?: components["schemas"]["Relations"];
            order?: components["schemas"]["MessageOrder"];
            columns?: components["schemas"]["MessageColumns"];
            /** @description The id of the integration to search. null removes it. */
            integration_id?: string | null;
            /** @description The status of the messages to find. null removes it. */
            status?: components["schemas"]["MessageStatus"] | null;
            window?: components["schemas"]["SavedViewWindow"];
            id?: components["schemas"]["RecordId"];
            /** @description One sentence that describes the query. */
            summary?: string;
            /** @description Warnings about the view. */
            flags?: components["schemas"]["SavedViewFlag"][];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /** @description The page to return, and optionally a window that replaces the view's own. */
        SavedViewSearch: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            limit?: components["schemas"]["PageSize"];
            /** @description The `next_cursor` of the previous page; null or absent for the first page. */
            cursor?: string | null;
        };
        /**
         * @description How a channel delivers notifications.
         * @enum {string}
         */
        ChannelKind: "webhook";
        /**
         * @description The name, unique within the organization.
         * @example On-call
         */
        ChannelName: string;
        /**
         * @description Why the channel is disabled. `by_user`: a user disabled it. `gone`: the receiver responded with 410. `failing`: all attempts, tests aside, failed for five days since the channel was last changed.
         * @enum {string}
         */
        DisabledReason: "by_user" | "gone" | "failing";
        /**
         * @description The URL of the receiver, `http` or `https`, without a user name or password. Contributors can read all of it; viewers see only its origin, because paths and queries often contain credentials. A URL with another scheme, host or port requires `auth_header` again.
         * @example https://receiver.example/alerts
         */
        WebhookUrl: string;
        /**
         * @description The format of the posted body. `json` posts the canonical payload (the callback `alert` of `createChannel`), `cloudevents` posts the same data as a CloudEvents 1.0 event in structured mode, and `template` posts the rendered `body_template`. Defaults to `json` in a new channel.
         * @enum {string}
         */
        ChannelFormat: "json" | "cloudevents" | "template";
        /**
         * @description A JSON object as text, at most 32,768 bytes of UTF-8. Its strings can reference variables as `$path` or `${path}`. A string that is
         *     exactly one reference is replaced by the value with its type (`null` if it has no value); other references are inserted as text.
         *     Keys and literals are posted unchanged. An invalid template is refused with 422.
         *     Viewers see `[masked]`, because templates often contain credentials such as routing keys.
         * @example {"text": "${alert.state}: $alert.summary", "value": "$check.value"}
         */
        BodyTemplate: string;
        /** @description The receiver and the payload of a channel, without its credentials. */
        ChannelConfig: {
            url: components["schemas"]["WebhookUrl"];
            format: components["schemas"]["ChannelFormat"];
            body_template?: components["schemas"]["BodyTemplate"];
        };
        /**
         * @description A masked credential.
         * @example {
         *       "set": true,
         *       "last4": "k3y9"
         *     }
         * @example {
         *       "set": false
         *     }
         */
        Credential: {
            /** @description Whether the credential is set. */
            set: boolean;
            /** @description The last four characters; empty if the credential has fewer than eight. */
            last4?: string;
        };
        /** @description Which credentials of `config` are set, and how they end. */
        ChannelCredentials: {
            auth_header: components["schemas"]["Credential"];
            signing_secret: components["schemas"]["Credential"];
        };
        /** @description A receiver of alert notifications. */
        Channel: {
            id: components["schemas"]["RecordId"];
            kind: components["schemas"]["ChannelKind"];
            name: components["schemas"]["ChannelName"];
            /** @description Whether alerts are posted to the channel. */
            enabled: boolean;
            disabled_reason?: components["schemas"]["DisabledReason"];
            /**
             * Format: date-time
             * @description When the first attempt failed since which none has succeeded, tests of the channel aside. Absent if none has failed since the last success or change of the channel, and while the channel is disabled.
             */
            failing_since?: string;
            config: components["schemas"]["ChannelConfig"];
            credentials: components["schemas"]["ChannelCredentials"];
            version: components["schemas"]["Version"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description A page of channels. */
        ChannelPage: {
            /** @description The channels of this page. */
            items: components["schemas"]["Channel"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description The receiver and the payload of a new channel. */
        ChannelConfigCreate: {
            url: components["schemas"]["WebhookUrl"];
            format?: components["schemas"]["ChannelFormat"];
            /** @description The template, required by the format `template` and not allowed with other formats. See `BodyTemplate`. null removes it. */
            body_template?: string | null;
            /**
             * @description The value of the `Authorization` header, sent unchanged. Printable ASCII. null removes it.
             * @example Bearer 9f86d081884c7d65
             */
            auth_header?: string | null;
            /** @description The secret that signs the requests. See `SigningSecret`. If omitted, a secret is generated and returned once. null disables signatures. */
            signing_secret?: string | null;
        };
        /** @description A new channel. Read-only and ignored, so that a `Channel` can be sent back as it was read: `id`, `disabled_reason`, `failing_since`, `credentials`, `version`, `created_at`, `updated_at`. */
        ChannelCreate: {
            kind?: components["schemas"]["ChannelKind"];
            name: components["schemas"]["ChannelName"];
            /**
             * @description Whether alerts are posted to the channel.
             * @default true
             */
            enabled?: boolean;
            config: components["schemas"]["ChannelConfigCreate"];
            id?: components["schemas"]["RecordId"];
            disabled_reason?: components["schemas"]["DisabledReason"];
            /**
             * Format: date-time
             * @description When the first attempt failed since which none has succeeded, tests of the channel aside. Absent if none has failed since the last success or change of the channel, and while the channel is disabled.
             */
            failing_since?: string;
            credentials?: components["schemas"]["ChannelCredentials"];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /**
         * @description A Standard Webhooks signing secret: `whsec_` followed by 24 to 64 bytes in base64.
         * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
         */
        SigningSecret: string;
        /** @description The created channel. Only this response contains a generated signing secret. */
        ChannelCreated: {
            id: components["schemas"]["RecordId"];
            kind: components["schemas"]["ChannelKind"];
            name: components["schemas"]["ChannelName"];
            /** @description Whether alerts are posted to the channel. */
            enabled: boolean;
            disabled_reason?: components["schemas"]["DisabledReason"];
            config: components["schemas"]["ChannelConfig"];
            credentials: components["schemas"]["ChannelCredentials"];
            version: components["schemas"]["Version"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            signing_secret?: components["schemas"]["SigningSecret"];
        };
        /**
         * @description The type of the event. `alert.test` describes an alert that does not exist.
         * @enum {string}
         */
        AlertEventType: "alert.firing" | "alert.resolved" | "alert.test";
        /** @description The alert. */
        AlertFact: {
            /** @description The id of the alert, which is the same when it fires and when it is resolved. */
            id: string;
            /**
             * @description Whether the alert fires or has been resolved.
             * @enum {string}
             */
            state: "firing" | "resolved";
            /**
             * @description The severity of the rule.
             * @enum {string}
             */
            severity: "info" | "warning" | "critical";
            /** @description One sentence about what happened. Absent if the rule's `include.summary` is false. */
            summary?: string;
            /** @description The URL of the rule in the console, or in the API if `CONSOLE` is off. null if the server has no `PUBLIC_URL`. Absent if the rule's `include.link` is false. */
            link?: string | null;
            /**
             * Format: date-time
             * @description When the alert started firing.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When the alert was resolved. null while it is firing.
             */
            resolved_at: string | null;
        };
        /** @description The rule of the alert. */
        AlertRuleFact: {
            /** @description The id of the rule. */
            id: string;
            /** @description The name of the rule. */
            name: string;
            /**
             * @description Whether the rule measures spans (`trace`) or a metric.
             * @enum {string}
             */
            kind: "trace" | "metric";
            /** @description What the rule measures. */
            measure: string;
            /** @description How the measure is compared with the threshold. */
            comparator: string;
            /**
             * Format: double
             * @description The threshold of the rule, in the unit of the measure.
             */
            threshold: number;
            /**
             * Format: int64
             * @description The length of the measured window in seconds.
             */
            window_s: number;
        };
        /** @description The measurement of a rule on a metric. */
        AlertCheckFact: {
            /** @description The name of the metric. */
            metric: string;
            /**
             * Format: double
             * @description The value that was measured last, in `unit`. null if there was no data.
             */
            value: number | null;
            /**
             * Format: double
             * @description The threshold that the value was compared with.
             */
            threshold: number;
            /** @description The unit of the metric. Empty if it has none. */
            unit: string;
        };
        /** @description The resource attributes of a service, by key. */
        ServiceMetadata: {
            [key: string]: unknown;
        };
        /** @description The service of the rule. */
        AlertServiceFact: {
            /** @description The name of the service. */
            name: string;
            /**
             * Format: int64
             * @description The count in the rule's window. null if it could not be read.
             */
            error_count: number | null;
            /**
             * Format: int64
             * @description The count in the rule's window. null if it could not be read.
             */
            span_count: number | null;
            /** @description The slugs of the effective facets of the service. */
            facets: components["schemas"]["Text"][];
            metadata: components["schemas"]["ServiceMetadata"];
        };
        /** @description The integration of the rule. */
        AlertIntegrationFact: {
            /** @description The id of the integration. */
            id: string;
            /** @description The name of the integration. */
            name: string;
            rule_match: components["schemas"]["RuleMatch"];
        };
        /** @description The organization. */
        AlertOrgFact: {
            /** @description The id of the organization. */
            id: string;
            /** @description The name of the organization. */
            name: string;
        };
        /** @description The alert and its context, under the names of the template variables. Objects that do not apply, or that the rule's `include` omits, are absent. */
        AlertData: {
            alert: components["schemas"]["AlertFact"];
            rule: components["schemas"]["AlertRuleFact"];
            check?: components["schemas"]["AlertCheckFact"];
            service?: components["schemas"]["AlertServiceFact"];
            integration?: components["schemas"]["AlertIntegrationFact"];
            org: components["schemas"]["AlertOrgFact"];
        };
        /** @description The canonical body of a notification, with the structure recommended by the Standard Webhooks specification. */
        AlertPayload: {
            type: components["schemas"]["AlertEventType"];
            /**
             * Format: date-time
             * @description When the notification was created.
             */
            timestamp: string;
            data: components["schemas"]["AlertData"];
        };
        /** @description The notification as a CloudEvents 1.0 event in structured mode. */
        AlertCloudEvent: {
            /**
             * @description The version of CloudEvents.
             * @enum {string}
             */
            specversion: "1.0";
            /** @description The `webhook-id`, which is the same in every attempt. */
            id: string;
            /**
             * Format: uri-reference
             * @description `urn:tracefold:<org>:rule:<rule id>`.
             */
            source: string;
            /**
             * @description What the notification is about.
             * @enum {string}
             */
            type: "io.tracefold.alert.firing" | "io.tracefold.alert.resolved" | "io.tracefold.alert.test";
            /** @description The id of the alert. */
            subject: string;
            /**
             * Format: date-time
             * @description When the notification was created.
             */
            time: string;
            /**
             * @description The media type of `data`.
             * @enum {string}
             */
            datacontenttype: "application/json";
            data: components["schemas"]["AlertData"];
        };
        /** @description The fields to update. Omitted fields keep their values. */
        ChannelConfigUpdate: {
            url?: components["schemas"]["WebhookUrl"];
            format?: components["schemas"]["ChannelFormat"];
            /** @description The template, required by the format `template` and not allowed with other formats. See `BodyTemplate`. null removes it. */
            body_template?: string | null;
            /**
             * @description The value of the `Authorization` header, sent unchanged. Printable ASCII. null removes it. Required again if `url` gets another origin.
             * @example Bearer 9f86d081884c7d65
             */
            auth_header?: string | null;
            /** @description The secret that signs the requests. See `SigningSecret`. null disables signatures. */
            signing_secret?: string | null;
        };
        /** @description The fields to update. Omitted fields, including those of `config`, keep their values. Read-only and ignored, so that a `Channel` can be sent back as it was read: `id`, `disabled_reason`, `failing_since`, `credentials`, `version`, `created_at`, `updated_at`. */
        ChannelUpdate: {
            kind?: components["schemas"]["ChannelKind"];
            name?: components["schemas"]["ChannelName"];
            /** @description Whether alerts are posted to the channel. */
            enabled?: boolean;
            config?: components["schemas"]["ChannelConfigUpdate"];
            id?: components["schemas"]["RecordId"];
            disabled_reason?: components["schemas"]["DisabledReason"];
            /**
             * Format: date-time
             * @description When the first attempt failed since which none has succeeded, tests of the channel aside. Absent if none has failed since the last success or change of the channel, and while the channel is disabled.
             */
            failing_since?: string;
            credentials?: components["schemas"]["ChannelCredentials"];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /**
         * @description What a rule measures: spans (`trace`), or one metric (`metric`), named by the field `metric`. A metric rule aggregates all selected series together. It cannot have an integration, because integrations select spans.
         * @enum {string}
         */
        AlertRuleKind: "trace" | "metric";
        /**
         * @description The source of an attribute. For spans as in `AttributeSource` (`any`, `span`, `resource`, `intrinsic`), for series of a metric as in `SeriesAttributeSource` (`any`, `point`, `resource`, `intrinsic`).
         * @enum {string}
         */
        AlertAttributeSource: "any" | "span" | "point" | "resource" | "intrinsic";
        /**
         * @description A condition on the value of an attribute of a span or of a series. `neq` and `not_contains` also match if the attribute is absent.
         * @example {
         *       "attribute_key": "customer.id",
         *       "operator": "eq",
         *       "value": "77"
         *     }
         * @example {
         *       "attribute_source": "intrinsic",
         *       "attribute_key": "duration_ms",
         *       "operator": "gte",
         *       "value": 250
         *     }
         */
        AlertValueCondition: {
            attribute_source?: components["schemas"]["AlertAttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
            /**
             * @description How the attribute is compared with `value`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            operator: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "matches" | "gt" | "gte" | "lt" | "lte";
            value: components["schemas"]["ConditionValue"];
        };
        /**
         * @description A condition on the presence of an attribute.
         * @example {
         *       "attribute_source": "any",
         *       "attribute_key": "http.route",
         *       "operator": "exists"
         *     }
         */
        AlertPresenceCondition: {
            attribute_source?: components["schemas"]["AlertAttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
            /**
             * @description Whether the attribute must be present or absent. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            operator: "exists" | "not_exists";
            /** @description Ignored. */
            value?: unknown;
        };
        /** @description A condition on an attribute of a span, or of a series of a metric. `exists` and `not_exists` need no value; all other operators require one. */
        AlertCondition: components["schemas"]["AlertValueCondition"] | components["schemas"]["AlertPresenceCondition"];
        /**
         * @description What is measured over the window. For spans: `span_count` and `error_count` (0 without spans), `error_rate` (from 0 to 1), `p95_ms` (95th percentile of the durations by nearest rank, in milliseconds) and `message_count` (messages with at least one such span). Without spans, `error_rate` and `p95_ms` have no data. All other measures are aggregations of a metric as in a metric query, with the rule's window as a single bucket; without points they have no data.
         * @enum {string}
         */
        AlertMeasure: "span_count" | "error_count" | "error_rate" | "p95_ms" | "message_count" | "avg" | "min" | "max" | "sum" | "count" | "rate" | "p50" | "p95" | "p99" | "last";
        /**
         * @description The name of a metric.
         * @example http.server.request.duration
         */
        MetricName: string;
        /**
         * @description How the value is compared with the threshold. The rule fires when the comparison has been true for `for_s` seconds.
         * @enum {string}
         */
        AlertComparator: "gt" | "gte" | "lt" | "lte" | "eq" | "neq";
        /**
         * Format: int32
         * @description The length of the window in seconds. The window ends at the evaluation. A span counts only after it is stored, so choose a window longer than the delay of your telemetry. Defaults to 300 in a new rule.
         * @example 300
         */
        AlertWindow: number;
        /**
         * Format: int32
         * @description How long the comparison must hold in every evaluation before the rule fires, in seconds. 0 fires immediately. Defaults to 0 in a new rule.
         * @example 60
         */
        AlertFor: number;
        /**
         * @description The severity of an alert rule and its alerts.
         * @enum {string}
         */
        AlertSeverity: "info" | "warning" | "critical";
        /**
         * @description The id of a channel.
         * @example 01JNB4Y8Z0V6Q3W2R7T5X9K1MC
         */
        AlertChannelId: string;
        /** @description The channels that are notified when the rule fires and when it is resolved. */
        AlertChannelIds: components["schemas"]["AlertChannelId"][];
        /** @description What notifications of the rule include. Templates read it as `include.*`. */
        AlertInclude: {
            /** @description Whether notifications include `alert.link`. */
            link: boolean;
            /** @description Whether notifications include `alert.summary`. */
            summary: boolean;
            /** @description Whether notifications include `service`. */
            service: boolean;
            /** @description Whether notifications include `integration`. */
            integration: boolean;
            /** @description Whether notifications include `check`. */
            check: boolean;
        };
        /**
         * @description `ok`: the comparison is false. `pending`: it is true, but not yet for `for_s` seconds. `firing`: an alert is open. `no_data`: there was nothing to measure; no notification is sent. A firing rule without data keeps firing until a value resolves it.
         * @enum {string}
         */
        AlertRuleStatus: "ok" | "pending" | "firing" | "no_data";
        /** @description The result of the last evaluation. */
        AlertRuleState: {
            status: components["schemas"]["AlertRuleStatus"];
            since: components["schemas"]["Timestamp"];
            /**
             * Format: double
             * @description The value of the last evaluation. null if it had no data, and before the first evaluation.
             */
            value: number | null;
            /**
             * Format: date-time
             * @description When the rule was last evaluated.
             */
            evaluated_at: string | null;
            /** @description The id of the open alert. */
            alert_id: string | null;
            /** @description Why the last evaluation failed. A failed evaluation leaves the status and the value unchanged. */
            last_error: string | null;
        };
        /** @description Measures a value at regular intervals and notifies channels when it crosses a threshold. A trace rule measures the spans that satisfy all conditions in one service, in one integration, or in the whole organization. */
        AlertRule: {
            id: components["schemas"]["RecordId"];
            name: components["schemas"]["AlertRuleName"];
            kind: components["schemas"]["AlertRuleKind"];
            service?: components["schemas"]["ServiceName"];
            integration_id?: components["schemas"]["RecordId"];
            /** @description Conditions on one span, or on one series of the metric. All must be true. */
            conditions: components["schemas"]["AlertCondition"][];
            /** @description Rows of a message filter. Only with the measure `message_count`, without `conditions` and `service`. */
            rows?: components["schemas"]["MessageRow"][];
            /** @description Relations of a message filter, under the same conditions as `rows`. */
            relations?: components["schemas"]["Relation"][];
            measure: components["schemas"]["AlertMeasure"];
            metric?: components["schemas"]["MetricName"];
            comparator: components["schemas"]["AlertComparator"];
            /**
             * Format: double
             * @description The value to compare the measure with.
             */
            threshold: number;
            window_s: components["schemas"]["AlertWindow"];
            for_s: components["schemas"]["AlertFor"];
            severity: components["schemas"]["AlertSeverity"];
            channel_ids: components["schemas"]["AlertChannelIds"];
            include: components["schemas"]["AlertInclude"];
            /** @description Whether the rule is evaluated. */
            enabled: boolean;
            state: components["schemas"]["AlertRuleState"];
            version: components["schemas"]["Version"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description A page of alert rules. */
        AlertRulePage: {
            /** @description The alert rules of this page. */
            items: components["schemas"]["AlertRule"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * @description The id of an integration. Restricts the query to its spans.
         * @example 01JNB4Y8Z0V6Q3W2R7T5X9K1MD
         */
        IntegrationId: string;
        /**
         * @description What notifications of the rule include. Omitted fields are true in a new rule and keep their values in an update.
         * @example {
         *       "service": false
         *     }
         */
        AlertIncludeInput: {
            /** @description Whether notifications include `alert.link`. */
            link?: boolean;
            /** @description Whether notifications include `alert.summary`. */
            summary?: boolean;
            /** @description Whether notifications include `service`. */
            service?: boolean;
            /** @description Whether notifications include `integration`. */
            integration?: boolean;
            /** @description Whether notifications include `check`. */
            check?: boolean;
        };
        /** @description A new alert rule. Defaults: no conditions, a window of 300 seconds, `for_s` 0, severity `warning`, no channels, all content included, enabled. `service` and `integration_id` are mutually exclusive. Read-only and ignored, so that an `AlertRule` can be sent back as it was read: `id`, `state`, `version`, `created_at`, `updated_at`. */
        AlertRuleCreate: {
            name: components["schemas"]["AlertRuleName"];
            kind: components["schemas"]["AlertRuleKind"];
            service?: components["schemas"]["ServiceName"];
            integration_id?: components["schemas"]["IntegrationId"];
            /** @description Conditions on one span, or on one series of the metric. All must be true. */
            conditions?: components["schemas"]["AlertCondition"][];
            /** @description Rows of a message filter. Only with the measure `message_count`, without `conditions` and `service`. */
            rows?: components["schemas"]["MessageRow"][];
            /** @description Relations of a message filter, under the same conditions as `rows`. */
            relations?: components["schemas"]["Relation"][];
            measure: components["schemas"]["AlertMeasure"];
            metric?: components["schemas"]["MetricName"];
            comparator: components["schemas"]["AlertComparator"];
            /**
             * Format: double
             * @description The value to compare the measure with.
             */
            threshold: number;
            window_s?: components["schemas"]["AlertWindow"];
            for_s?: components["schemas"]["AlertFor"];
            severity?: components["schemas"]["AlertSeverity"];
            channel_ids?: components["schemas"]["AlertChannelIds"];
            include?: components["schemas"]["AlertIncludeInput"];
            /** @description Whether the rule is evaluated. */
            enabled?: boolean;
            id?: components["schemas"]["RecordId"];
            state?: components["schemas"]["AlertRuleState"];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /** @description A rule, which is not stored, and the window to evaluate it over, which defaults to the last hour. The name, severity, channels and `include` of the rule have no effect. Read-only and ignored, so that an `AlertRule` can be sent back as it was read: `id`, `state`, `version`, `created_at`, `updated_at`. */
        AlertRulePreviewRequest: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            name?: components["schemas"]["AlertRuleName"];
            kind: components["schemas"]["AlertRuleKind"];
            service?: components["schemas"]["ServiceName"];
            integration_id?: components["schemas"]["IntegrationId"];
            /** @description Conditions on one span, or on one series of the metric. All must be true. */
            conditions?: components["schemas"]["AlertCondition"][];
            /** @description Rows of a message filter. Only with the measure `message_count`, without `conditions` and `service`. */
            rows?: components["schemas"]["MessageRow"][];
            /** @description Relations of a message filter, under the same conditions as `rows`. */
            relations?: components["schemas"]["Relation"][];
            measure: components["schemas"]["AlertMeasure"];
            metric?: components["schemas"]["MetricName"];
            comparator: components["schemas"]["AlertComparator"];
            /**
             * Format: double
             * @description The value to compare the measure with.
             */
            threshold: number;
            window_s?: components["schemas"]["AlertWindow"];
            for_s?: components["schemas"]["AlertFor"];
            severity?: components["schemas"]["AlertSeverity"];
            channel_ids?: components["schemas"]["AlertChannelIds"];
            include?: components["schemas"]["AlertIncludeInput"];
            /** @description Whether the rule is evaluated. */
            enabled?: boolean;
            id?: components["schemas"]["RecordId"];
            state?: components["schemas"]["AlertRuleState"];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /** @description One evaluation of the rule. */
        AlertRulePreviewPoint: {
            at: components["schemas"]["Timestamp"];
            /**
             * Format: double
             * @description The value over the rule's window that ends at `at`. null means no data.
             */
            value: number | null;
            status: components["schemas"]["AlertRuleStatus"];
        };
        /**
         * @description The state of an alert: `firing` until it is resolved.
         * @enum {string}
         */
        AlertState: "firing" | "resolved";
        /** @description A notification that the rule would have sent. */
        AlertRulePreviewNotification: {
            at: components["schemas"]["Timestamp"];
            state: components["schemas"]["AlertState"];
        };
        /** @description The current result of the rule, and its results over the window. */
        AlertRulePreview: {
            /**
             * Format: double
             * @description The current value. null means no data.
             */
            value: number | null;
            /** @description The current result in one sentence. */
            summary: string;
            /**
             * Format: int64
             * @description Seconds between two points, chosen so that the window has at most 240 points, or 24 if each point requires a separate query.
             */
            step_s: number;
            /** @description The evaluations over the window, oldest first. Before the first one the rule has the status `ok`. */
            points: components["schemas"]["AlertRulePreviewPoint"][];
            /** @description The notifications that would have been sent. */
            notifications: components["schemas"]["AlertRulePreviewNotification"][];
        };
        /** @description The fields to update. Omitted fields keep their values; null removes `service`, `integration_id` or `metric`. Disabling the rule, or changing what it measures, its comparator, threshold, window or `for_s`, resolves its open alert. Read-only and ignored, so that an `AlertRule` can be sent back as it was read: `id`, `state`, `version`, `created_at`, `updated_at`. */
        AlertRuleUpdate: {
            name?: components["schemas"]["AlertRuleName"];
            kind?: components["schemas"]["AlertRuleKind"];
            /** @description The service whose spans are measured. null removes it. */
            service?: string | null;
            /** @description The id of the integration whose spans are measured. null removes it. */
            integration_id?: string | null;
            /** @description Conditions on one span, or on one series of the metric. All must be true. */
            conditions?: components["schemas"]["AlertCondition"][];
            /** @description Rows of a message filter. Only with the measure `message_count`, without `conditions` and `service`. */
            rows?: components["schemas"]["MessageRow"][];
            /** @description Relations of a message filter, under the same conditions as `rows`. */
            relations?: components["schemas"]["Relation"][];
            measure?: components["schemas"]["AlertMeasure"];
            /** @description The name of the metric to measure. null removes it. */
            metric?: string | null;
            comparator?: components["schemas"]["AlertComparator"];
            /**
             * Format: double
             * @description The value to compare the measure with.
             */
            threshold?: number;
            window_s?: components["schemas"]["AlertWindow"];
            for_s?: components["schemas"]["AlertFor"];
            severity?: components["schemas"]["AlertSeverity"];
            channel_ids?: components["schemas"]["AlertChannelIds"];
            include?: components["schemas"]["AlertIncludeInput"];
            /** @description Whether the rule is evaluated. */
            enabled?: boolean;
            id?: components["schemas"]["RecordId"];
            state?: components["schemas"]["AlertRuleState"];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /** @description One firing of an alert rule, from its start to its resolution. Alerts are kept when their rule is deleted. */
        Alert: {
            id: components["schemas"]["RecordId"];
            rule_id: components["schemas"]["RecordId"];
            rule_name: components["schemas"]["AlertRuleName"];
            state: components["schemas"]["AlertState"];
            severity: components["schemas"]["AlertSeverity"];
            /**
             * @description One sentence about what was measured when the alert fired. Fractions in it are rounded; `value` is exact.
             * @example Checkout fails: the number of failed spans of service "checkout" over 5 minutes is 7, which is above 5.
             */
            summary: string;
            comparator: components["schemas"]["AlertComparator"];
            /**
             * Format: double
             * @description The threshold when the alert fired.
             */
            threshold: number;
            /**
             * Format: double
             * @description The value when the alert fired.
             */
            value: number;
            /** @description The channels that are notified of this alert. They were those of the rule when the alert fired. */
            channel_ids: components["schemas"]["RecordId"][];
            started_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When the alert was resolved. null while it is firing.
             */
            resolved_at: string | null;
        };
        /** @description A page of alerts. */
        AlertPage: {
            /** @description The alerts of this page. */
            items: components["schemas"]["Alert"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * @description The JSON type of a value.
         * @enum {string}
         */
        TemplateVariableType: "string" | "number" | "integer" | "boolean" | "array" | "object";
        /** @description A path that body templates can reference as `$path` or `${path}`. */
        TemplateVariable: {
            /**
             * @description The path, without the `$`.
             * @example alert.state
             */
            path: string;
            type: components["schemas"]["TemplateVariableType"];
            /** @description What the variable contains. */
            description: string;
            /**
             * @description When the variable has a value. A variable without a value renders as `null` if it is the whole string, and as nothing within text.
             * @example always
             * @example for metric checks
             */
            when: string;
            /** @description An example value, used to render previews. */
            sample: unknown;
        };
        /** @description A page of template variables. */
        TemplateVariablePage: {
            /** @description The variables of this page. */
            items: components["schemas"]["TemplateVariable"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description The template to preview. */
        TemplatePreviewRequest: {
            body_template: components["schemas"]["BodyTemplate"];
        };
        /** @description The rendered template as JSON, for programs. Many programs, this server included, round numbers beyond 2^53 and reorder names when they read JSON; `text` is exact. */
        RenderedBody: {
            [key: string]: unknown;
        };
        /** @description A template rendered with the samples of all variables. */
        TemplatePreview: {
            body: components["schemas"]["RenderedBody"];
            /** @description The body exactly as it would be posted. */
            text: string;
        };
        /**
         * @description The event that the notification reports. A `test` describes an alert that does not exist.
         * @enum {string}
         */
        DeliveryEvent: "firing" | "resolved" | "test";
        /**
         * @description `pending` until the delivery succeeds or is abandoned; `failed` after the last attempt, or if the receiver no longer exists; `skipped` if the channel was disabled, or for the resolution of a firing that was never posted.
         * @enum {string}
         */
        DeliveryState: "pending" | "delivered" | "failed" | "skipped";
        /** @description One request to the receiver, and its result. */
        DeliveryAttempt: {
            /**
             * Format: int64
             * @description The number of the attempt, from 1.
             */
            number: number;
            started_at: components["schemas"]["Timestamp"];
            /**
             * Format: int64
             * @description The time until the attempt succeeded or failed, in milliseconds.
             */
            duration_ms: number;
            /**
             * Format: int64
             * @description The status of the response. null if there was none.
             */
            status: number | null;
            /** @description The first 4 KB of the response as text, without the channel's credentials and the path and query of its URL. null if there was none. Viewers get no `response`, because receivers may echo the body, whose template viewers may not read. */
            response?: string | null;
            /** @description Why the attempt failed. null if it succeeded. */
            error: string | null;
        };
        /** @description One notification for one channel, with every attempt to post it. */
        Delivery: {
            id: components["schemas"]["RecordId"];
            channel_id: components["schemas"]["RecordId"];
            /** @description The id of the alert. A test has an alert id that refers to no stored alert. */
            alert_id: string;
            /** @description The id of the alert rule. null for a test. */
            rule_id: string | null;
            /** @description The name that the alert rule had at the event, which is kept when the rule is renamed or deleted. null for a test. */
            rule_name: string | null;
            event: components["schemas"]["DeliveryEvent"];
            state: components["schemas"]["DeliveryState"];
            /** @description Why the template could not be rendered, so that the canonical payload was posted instead. Otherwise null. */
            template_error: string | null;
            created_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When the next attempt is due. null if there will be none.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the delivery succeeded, failed or was skipped.
             */
            finished_at: string | null;
            /** @description The attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        /** @description A page of the deliveries of a channel. */
        DeliveryPage: {
            /** @description The deliveries of this page. */
            items: components["schemas"]["Delivery"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * @description The name of a service, as in its telemetry.
         * @example checkout
         */
        TelemetryService: string;
        /**
         * @description The permanent identifier of a facet. The slug of a custom facet is its first name, normalized with NFKC, in lower case, with every run of characters other than letters, marks and digits replaced by a hyphen, without leading or trailing hyphens, at most 100 characters.
         * @example http-input
         */
        FacetSlug: string;
        /**
         * @description `detected` in the telemetry of the window, `manual` by an include override, `hidden` by an exclude override. A facet can be both detected and manual.
         * @enum {string}
         */
        FacetState: "detected" | "manual" | "hidden";
        /** @description The states of a facet of the service; empty if none applies. */
        FacetStates: components["schemas"]["FacetState"][];
        /** @description A facet of a service. */
        ServiceFacet: {
            slug: components["schemas"]["FacetSlug"];
            state: components["schemas"]["FacetStates"];
        };
        /** @description A service with spans in the window. */
        Service: {
            name: components["schemas"]["TelemetryService"];
            /**
             * Format: int64
             * @description The number of its spans in the window.
             */
            span_count: number;
            /**
             * Format: int64
             * @description The number of these spans with status error.
             */
            error_count: number;
            /**
             * Format: double
             * @description The 95th percentile of the durations of its spans, in milliseconds.
             */
            p95_ms: number;
            /** @description Its facets, in the order of dashboard sections. */
            facets: components["schemas"]["ServiceFacet"][];
        };
        /** @description A page of services. */
        ServicePage: {
            /** @description The services of this page. */
            items: components["schemas"]["Service"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * @description The name of a service as in its telemetry, percent-encoded in the path. Slashes, percent signs and dots are part of the name.
         * @example checkout
         */
        PathService: string;
        /** @description The slugs of facets. Duplicates are ignored. */
        FacetSlugList: components["schemas"]["FacetSlug"][];
        /**
         * @description How a service differs from what is detected: it has the facet, or it does not.
         * @enum {string}
         */
        FacetOverride: "include" | "exclude";
        /** @description A facet for one service in the window. */
        OverriddenFacet: {
            slug: components["schemas"]["FacetSlug"];
            /** @description Whether telemetry in the window shows the facet. */
            detected: boolean;
            /** @description The override, or null. A facet that is both included and excluded is excluded. */
            override: components["schemas"]["FacetOverride"] | null;
            /** @description Whether the service has the facet: detected or included, and not excluded. */
            effective: boolean;
            state: components["schemas"]["FacetStates"];
        };
        /** @description The overrides of a service. Overrides of deleted facets are kept without effect, and apply again if the facet is recreated. */
        FacetOverrides: {
            include: components["schemas"]["FacetSlugList"];
            exclude: components["schemas"]["FacetSlugList"];
            /** @description All facets, the built-in ones in the order of dashboard sections, then custom ones by slug. */
            facets: components["schemas"]["OverriddenFacet"][];
            version: components["schemas"]["Version"];
        };
        /**
         * @description The name of a service that has settings of its own, as in its telemetry. It is shorter than those that can be read, and has no null character, because it is part of a key of the metadata store.
         * @example checkout
         */
        ConfiguredService: string;
        /** @description All overrides of a service, which replace the current ones. Unknown facets, and excluding `core`, are refused (422), but overrides of deleted facets may be sent back. A facet in both lists is hidden. Read-only and ignored, so that a `FacetOverrides` can be sent back as it was read: `facets`, `version`. */
        FacetOverridesReplacement: {
            include: components["schemas"]["FacetSlugList"];
            exclude: components["schemas"]["FacetSlugList"];
            /** @description All facets, the built-in ones in the order of dashboard sections, then custom ones by slug. */
            facets?: components["schemas"]["OverriddenFacet"][];
            version?: components["schemas"]["Version"];
        };
        /**
         * @description Whether the response includes an explanation.
         * @default false
         */
        Explain: boolean;
        /**
         * @description Whether to read a span attribute or a resource attribute.
         * @enum {string}
         */
        MappingSource: "span" | "resource";
        /**
         * @description How the text of the attribute is compared with the value. `exists` tests only that the attribute is present and ignores any value.
         * @enum {string}
         */
        MappingOperator: "equals" | "contains" | "prefix" | "suffix" | "exists";
        /** @description The text to compare with. */
        MappingValue: string;
        /**
         * @description The kind of data boundary, a value of `io.kind`.
         * @enum {string}
         */
        IoKind: "file" | "queue" | "stream" | "http" | "db" | "email";
        /**
         * @description The direction of the data, a value of `io.role`.
         * @enum {string}
         */
        IoRole: "input" | "output";
        /** @description A classification rule of a service. Assigns an `io.kind` and an `io.role` to each matching span that has no `io.kind`, unless an earlier rule matches. */
        FacetMapping: {
            id: components["schemas"]["RecordId"];
            attribute_source: components["schemas"]["MappingSource"];
            attribute_key: components["schemas"]["AttributeKey"];
            match_operator: components["schemas"]["MappingOperator"];
            match_value?: components["schemas"]["MappingValue"];
            set_io_kind: components["schemas"]["IoKind"];
            set_io_role: components["schemas"]["IoRole"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description The number of spans that one rule classified. */
        DecidedSpans: {
            id: components["schemas"]["RecordId"];
            /**
             * Format: int64
             * @description The number of spans whose first matching rule is this one.
             */
            decided_span_count: number;
        };
        /** @description How many spans each rule classifies, among the newest 100,000 spans of the service in the window. The counts add up to `sampled_span_count`. */
        FacetMappingExplanation: {
            /**
             * Format: int64
             * @description The number of spans that were classified.
             */
            sampled_span_count: number;
            /**
             * Format: int64
             * @description The number of spans that have their own `io.kind`. Rules do not apply to them.
             */
            carried_span_count: number;
            /**
             * Format: int64
             * @description The number of spans that have no `io.kind` and match no rule.
             */
            undecided_span_count: number;
            /** @description All rules of the service, including those on other pages. */
            rules: components["schemas"]["DecidedSpans"][];
        };
        /** @description The rules in creation order, which is the order in which they apply. */
        FacetMappingPage: {
            /** @description The rules of this page. */
            items: components["schemas"]["FacetMapping"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
            explain?: components["schemas"]["FacetMappingExplanation"];
        };
        /** @description A new rule, added after the existing rules. A service can have at most 100 rules. All rules of an organization are limited to 2,000 and to 4 MiB in total. Read-only and ignored, so that a `FacetMapping` can be sent back as it was read: `id`, `created_at`, `updated_at`. */
        FacetMappingCreate: {
            attribute_source: components["schemas"]["MappingSource"];
            attribute_key: components["schemas"]["AttributeKey"];
            match_operator: components["schemas"]["MappingOperator"];
            /** @description The text to compare with, of at most 4,096 characters. Ignored by `exists`. null means no value. */
            match_value?: unknown;
            set_io_kind: components["schemas"]["IoKind"];
            set_io_role: components["schemas"]["IoRole"];
            id?: components["schemas"]["RecordId"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /**
         * @description The id of the widget, unique across all facets.
         * @example http-input.throughput
         */
        WidgetId: string;
        /**
         * @description The layout of the widget's data.
         * @enum {string}
         */
        WidgetKind: "timeseries" | "stat" | "table";
        /** @description A widget of a dashboard section, without its data. */
        Widget: {
            id: components["schemas"]["WidgetId"];
            /**
             * @description The title of the widget.
             * @example Requests per second
             */
            title: string;
            kind: components["schemas"]["WidgetKind"];
            /**
             * @description The unit of its values, in UCUM notation as OpenTelemetry uses it: counted items in braces, `1` for ratios. For a table, the unit of its first measure.
             * @example {request}/s
             */
            unit: string;
        };
        /** @description One facet of the service with its widgets. Custom facets have no widgets. */
        DashboardSection: {
            slug: components["schemas"]["FacetSlug"];
            state: components["schemas"]["FacetStates"];
            /** @description The widgets of the section, in the order of display. */
            widgets: components["schemas"]["Widget"][];
        };
        /** @description The dashboard of a service, according to its facets. */
        ServiceDashboard: {
            service: components["schemas"]["TelemetryService"];
            /** @description The sections in their fixed order. */
            facets: components["schemas"]["DashboardSection"][];
        };
        /**
         * Format: int32
         * @description The time between two points, in seconds.
         */
        StepSeconds: number;
        /**
         * @description Which spans a series or a row covers: `all` without grouping, those with one `value`, those in which the attribute is `absent`, or all `other` groups combined.
         * @enum {string}
         */
        WidgetGroup: "all" | "value" | "absent" | "other";
        /**
         * @description The start of the bucket and its value.
         * @example [
         *       "2026-03-01T09:00:00Z",
         *       12.5
         *     ]
         */
        WidgetPoint: [
            string,
            number
        ];
        /** @description One line over time. */
        WidgetSeries: {
            /** @description The value of the group. `other` or `none` if `group` is `other` or `absent`. Without grouping, the name of the measure. */
            name: string;
            group: components["schemas"]["WidgetGroup"];
            /** @description The points, oldest first. Buckets without spans have no point. */
            points: components["schemas"]["WidgetPoint"][];
        };
        /** @description Lines over time. */
        WidgetTimeSeries: {
            /**
             * @description The kind of the widget. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "timeseries";
            /** @description The unit of every value. */
            unit: string;
            step_s: components["schemas"]["StepSeconds"];
            /** @description The series, the groups with the most spans first and the combined rest last. Empty without telemetry. */
            series: components["schemas"]["WidgetSeries"][];
        };
        /** @description A column of a table. */
        WidgetColumn: {
            /** @description The name of the column. */
            name: string;
            /** @description The unit of its values, if they are numbers. */
            unit?: string;
        };
        /** @description A number, or in a grouping column the value as text. null for spans without the attribute, and in the row of all other groups. */
        WidgetCell: unknown;
        /** @description One cell for each column. */
        WidgetRow: components["schemas"]["WidgetCell"][];
        /** @description The rows of a message filter whose matched steps are exactly the spans that the row counts. Empty if no message filter selects exactly these: for the row of all other groups, for spans whose `io.kind` comes from a classification rule, for a name that spans carry in different attributes, and for a group that differs from another only by the absence of an attribute. */
        WidgetRowFilter: components["schemas"]["MessageRow"][];
        /** @description A table. A `stat` is a table of one cell. */
        WidgetTable: {
            /**
             * @description The kind of the widget. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "stat" | "table";
            /** @description The columns of the table. */
            columns: components["schemas"]["WidgetColumn"][];
            /** @description The rows, the groups with the most spans first and the combined rest last. Empty without telemetry. */
            rows: components["schemas"]["WidgetRow"][];
            /** @description The group of each row. Absent values are null in their cells. */
            row_groups: components["schemas"]["WidgetGroup"][];
            /** @description The message filter of each row. */
            row_filters: components["schemas"]["WidgetRowFilter"][];
        };
        /** @description The data of a widget. Its structure depends on the kind. */
        WidgetData: components["schemas"]["WidgetTimeSeries"] | components["schemas"]["WidgetTable"];
        /**
         * @description The name of a facet. The name of a custom facet contains at least one letter or digit.
         * @example Billing jobs
         */
        FacetName: string;
        /** @description What a service with this facet does. */
        FacetDescription: string;
        /** @description The `io.kind` and `io.role` that detect the facet when a span of the service has both. null if the facet is detected in another way, or never. */
        FacetDefinition: {
            io_kind: components["schemas"]["IoKind"];
            io_role: components["schemas"]["IoRole"];
        } | null;
        /** @description A category of what a service does, such as receiving HTTP requests or writing to a database. Only custom facets have a version and timestamps. */
        Facet: {
            slug: components["schemas"]["FacetSlug"];
            name: components["schemas"]["FacetName"];
            description: components["schemas"]["FacetDescription"];
            /** @description Whether the facet is predefined. Built-in facets exist in every organization and cannot be changed. */
            built_in: boolean;
            definition: components["schemas"]["FacetDefinition"];
            /** @description The attributes that are most relevant for spans of such a service, the most relevant first. */
            key_attributes: components["schemas"]["Text"][];
            /** @description The widgets of the facet. Custom facets have none. */
            widgets: components["schemas"]["Widget"][];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
        };
        /** @description A page of facets. */
        FacetPage: {
            /** @description The facets of this page. */
            items: components["schemas"]["Facet"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A new custom facet. Its slug is derived from its name. Returns 409 if another facet, built-in or custom, has the same slug. Read-only and ignored, so that a `FacetCarriers` can be sent back as it was read: `slug`, `built_in`, `definition`, `key_attributes`, `widgets`, `version`, `created_at`, `updated_at`, `services`. */
        FacetCreate: {
            name: components["schemas"]["FacetName"];
            description?: components["schemas"]["FacetDescription"];
            slug?: components["schemas"]["FacetSlug"];
            /** @description Whether the facet is predefined. Built-in facets exist in every organization and cannot be changed. */
            built_in?: boolean;
            definition?: components["schemas"]["FacetDefinition"];
            /** @description The attributes that are most relevant for spans of such a service, the most relevant first. */
            key_attributes?: components["schemas"]["Text"][];
            /** @description The widgets of the facet. Custom facets have none. */
            widgets?: components["schemas"]["Widget"][];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
            /** @description The services, ordered by name. Includes services that have the facet only through an include override, even without telemetry. */
            services?: components["schemas"]["FacetCarrier"][];
        };
        /** @description A service that has a facet. */
        FacetCarrier: {
            name: components["schemas"]["TelemetryService"];
            state: components["schemas"]["FacetStates"];
        };
        /** @description A facet, and every service that has it in the window. */
        FacetCarriers: {
            slug: components["schemas"]["FacetSlug"];
            name: components["schemas"]["FacetName"];
            description: components["schemas"]["FacetDescription"];
            /** @description Whether the facet is predefined. Built-in facets exist in every organization and cannot be changed. */
            built_in: boolean;
            definition: components["schemas"]["FacetDefinition"];
            /** @description The attributes that are most relevant for spans of such a service, the most relevant first. */
            key_attributes: components["schemas"]["Text"][];
            /** @description The widgets of the facet. Custom facets have none. */
            widgets: components["schemas"]["Widget"][];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
            /** @description The services, ordered by name. Includes services that have the facet only through an include override, even without telemetry. */
            services: components["schemas"]["FacetCarrier"][];
        };
        /** @description The fields to update. Omitted fields keep their values; the slug never changes. Read-only and ignored, so that a `FacetCarriers` can be sent back as it was read: `slug`, `built_in`, `definition`, `key_attributes`, `widgets`, `version`, `created_at`, `updated_at`, `services`. */
        FacetUpdate: {
            name?: components["schemas"]["FacetName"];
            description?: components["schemas"]["FacetDescription"];
            slug?: components["schemas"]["FacetSlug"];
            /** @description Whether the facet is predefined. Built-in facets exist in every organization and cannot be changed. */
            built_in?: boolean;
            definition?: components["schemas"]["FacetDefinition"];
            /** @description The attributes that are most relevant for spans of such a service, the most relevant first. */
            key_attributes?: components["schemas"]["Text"][];
            /** @description The widgets of the facet. Custom facets have none. */
            widgets?: components["schemas"]["Widget"][];
            version?: components["schemas"]["Version"];
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
            /** @description The services, ordered by name. Includes services that have the facet only through an include override, even without telemetry. */
            services?: components["schemas"]["FacetCarrier"][];
        };
        /**
         * Format: int32
         * @description The version of the export format. This server reads and writes version 1.
         * @example 1
         */
        FormatVersion: number;
        /** @description A matcher of an exported integration. */
        ConfigMatcher: {
            match_group?: components["schemas"]["MatchGroup"];
            service: components["schemas"]["ServiceName"];
            service_match?: components["schemas"]["ServiceMatch"];
            attribute_source?: components["schemas"]["AttributeSource"];
            attribute_key?: components["schemas"]["AttributeKey"];
            operator?: components["schemas"]["MatcherOperator"];
            /** @description A string, number or boolean to compare with. null means no value. */
            value?: unknown;
            /**
             * @description Whether the rule also selects the descendants of each span that satisfies it.
             * @default false
             */
            include_descendants?: boolean;
        };
        /** @description An exported integration, matched by name. */
        ConfigIntegration: {
            name: components["schemas"]["IntegrationName"];
            description?: components["schemas"]["IntegrationDescription"];
            rule_match?: components["schemas"]["RuleMatch"];
            /** @description The matchers of the integration. */
            matchers?: components["schemas"]["ConfigMatcher"][];
        };
        /** @description An exported saved view, matched by name. */
        ConfigSavedView: {
            name: components["schemas"]["SavedViewName"];
            description?: components["schemas"]["SavedViewDescription"];
            rows?: components["schemas"]["MessageRows"];
            relations?: components["schemas"]["Relations"];
            order?: components["schemas"]["MessageOrder"];
            columns?: components["schemas"]["MessageColumns"];
            integration?: components["schemas"]["IntegrationName"];
            /** @description Present instead of `integration` if the integration has been deleted, so that an imported view does not apply to all messages. */
            integration_id?: string;
            status?: components["schemas"]["MessageStatus"];
            window?: components["schemas"]["SavedViewWindow"];
        };
        /** @description An exported custom facet, matched by slug. */
        ConfigFacet: {
            slug: components["schemas"]["FacetSlug"];
            name: components["schemas"]["FacetName"];
            description?: components["schemas"]["FacetDescription"];
        };
        /** @description The overrides of one service. Overrides of facets that do not exist have no effect. */
        ConfigFacetOverrides: {
            service: components["schemas"]["ConfiguredService"];
            include: components["schemas"]["FacetSlugList"];
            exclude: components["schemas"]["FacetSlugList"];
        };
        /** @description The classification rules of one service, in order. */
        ConfigFacetMappings: {
            service: components["schemas"]["ConfiguredService"];
            /** @description The rules, in the order in which they apply. */
            mappings: components["schemas"]["FacetMappingCreate"][];
        };
        /** @description An exported alert rule, matched by name. It refers to its integration and channels by name. */
        ConfigAlertRule: {
            name: components["schemas"]["AlertRuleName"];
            kind: components["schemas"]["AlertRuleKind"];
            service?: components["schemas"]["ServiceName"];
            integration?: components["schemas"]["IntegrationName"];
            /** @description Conditions on one span, or on one series of the metric. All must be true. */
            conditions?: components["schemas"]["AlertCondition"][];
            /** @description Rows of a message filter. Only with the measure `message_count`, without `conditions` and `service`. */
            rows?: components["schemas"]["MessageRow"][];
            /** @description Relations of a message filter, under the same conditions as `rows`. */
            relations?: components["schemas"]["Relation"][];
            measure: components["schemas"]["AlertMeasure"];
            metric?: components["schemas"]["MetricName"];
            comparator: components["schemas"]["AlertComparator"];
            /**
             * Format: double
             * @description The value to compare the measure with.
             */
            threshold: number;
            window_s?: components["schemas"]["AlertWindow"];
            for_s?: components["schemas"]["AlertFor"];
            severity?: components["schemas"]["AlertSeverity"];
            /** @description The names of its channels. */
            channels?: components["schemas"]["ChannelName"][];
            include?: components["schemas"]["AlertIncludeInput"];
            /** @description Whether the rule is evaluated. */
            enabled?: boolean;
        };
        /** @description The receiver and the payload of an exported channel. */
        ConfigChannelConfig: {
            url: components["schemas"]["WebhookUrl"];
            format?: components["schemas"]["ChannelFormat"];
            body_template?: components["schemas"]["BodyTemplate"];
        };
        /** @description An exported channel without its credentials, matched by name. */
        ConfigChannel: {
            kind?: components["schemas"]["ChannelKind"];
            name: components["schemas"]["ChannelName"];
            /**
             * @description Whether alerts are posted to the channel.
             * @default true
             */
            enabled?: boolean;
            /**
             * @description Whether the URL and the template are masked, because a viewer exported the channel. A masked channel cannot be imported.
             * @default false
             */
            masked?: boolean;
            config: components["schemas"]["ConfigChannelConfig"];
        };
        /** @description The configuration of the organization, without credentials and grants. */
        ConfigExport: {
            format_version: components["schemas"]["FormatVersion"];
            /** @description The integrations. */
            integrations: components["schemas"]["ConfigIntegration"][];
            /** @description The saved views. */
            saved_views: components["schemas"]["ConfigSavedView"][];
            /** @description The custom facets. */
            facets: components["schemas"]["ConfigFacet"][];
            /** @description The overrides of facets, by service. */
            facet_overrides: components["schemas"]["ConfigFacetOverrides"][];
            /** @description The classification rules, by service. */
            facet_mappings: components["schemas"]["ConfigFacetMappings"][];
            /** @description The alert rules. */
            alert_rules: components["schemas"]["ConfigAlertRule"][];
            /** @description The channels, without credentials. */
            channels: components["schemas"]["ConfigChannel"][];
        };
        /**
         * @description `merge` updates records with the same name and creates the others. `replace` also deletes records that are not in the import, in every section that the import contains.
         * @default merge
         * @enum {string}
         */
        ImportMode: "merge" | "replace";
        /**
         * @description Whether to report what an import would change without changing it.
         * @default false
         */
        DryRun: boolean;
        /** @description An exported configuration. Omitted sections are not changed, in either mode. */
        ConfigImport: {
            format_version: components["schemas"]["FormatVersion"];
            /** @description The integrations. */
            integrations?: components["schemas"]["ConfigIntegration"][];
            /** @description The saved views. */
            saved_views?: components["schemas"]["ConfigSavedView"][];
            /** @description The custom facets. */
            facets?: components["schemas"]["ConfigFacet"][];
            /** @description The overrides of facets, by service. */
            facet_overrides?: components["schemas"]["ConfigFacetOverrides"][];
            /** @description The classification rules, by service. */
            facet_mappings?: components["schemas"]["ConfigFacetMappings"][];
            /** @description The alert rules. */
            alert_rules?: components["schemas"]["ConfigAlertRule"][];
            /** @description The channels, without credentials. */
            channels?: components["schemas"]["ConfigChannel"][];
        };
        /**
         * @description A record that an import changes.
         * @example {
         *       "action": "updated",
         *       "name": "Checkout"
         *     }
         */
        ConfigChange: {
            /**
             * @description What the import does to the record.
             * @enum {string}
             */
            action: "created" | "updated" | "deleted";
            /** @description The name of the record. For a custom facet its slug, and for overrides and mappings of facets the service. */
            name: string;
        };
        /** @description The changes to one kind of record. */
        ConfigSectionResult: {
            /**
             * Format: int64
             * @description The number of records that are created.
             */
            created: number;
            /**
             * Format: int64
             * @description The number of records that are updated.
             */
            updated: number;
            /**
             * Format: int64
             * @description The number of records that already match the import.
             */
            unchanged: number;
            /**
             * Format: int64
             * @description The number of records that are deleted.
             */
            deleted: number;
            /** @description The records that are created, updated or deleted. */
            changes: components["schemas"]["ConfigChange"][];
            /** @description What must be set on the records after the import, because exports do not contain it. */
            notes?: components["schemas"]["Text"][];
        };
        /** @description The changes of an import, by section. */
        ConfigImportResult: {
            integrations: components["schemas"]["ConfigSectionResult"];
            saved_views: components["schemas"]["ConfigSectionResult"];
            facets: components["schemas"]["ConfigSectionResult"];
            facet_overrides: components["schemas"]["ConfigSectionResult"];
            facet_mappings: components["schemas"]["ConfigSectionResult"];
            channels: components["schemas"]["ConfigSectionResult"];
            alert_rules: components["schemas"]["ConfigSectionResult"];
        };
        /**
         * @description A prefix, compared by code point. The empty string matches everything.
         * @example http.
         */
        TextPrefix: string;
        /**
         * @description The OpenTelemetry kind of a metric.
         * @enum {string}
         */
        MetricKind: "gauge" | "sum" | "histogram" | "exponential_histogram" | "summary";
        /**
         * @description Whether a point covers the time since the previous point (`delta`) or since a fixed start (`cumulative`); `unspecified` for kinds without temporality.
         * @enum {string}
         */
        Temporality: "unspecified" | "delta" | "cumulative";
        /** @description A metric in the window. */
        MetricSummary: {
            /** @description The name of the metric. */
            name: string;
            kind: components["schemas"]["MetricKind"];
            /** @description The unit. Empty if it was not sent. */
            unit: string;
            /** @description The description of the latest series. */
            description: string;
            temporality: components["schemas"]["Temporality"];
            /** @description Whether a sum only increases. */
            monotonic: boolean;
            /**
             * Format: int64
             * @description The number of series.
             */
            series_count: number;
            /** @description The services that sent the metric. */
            services: components["schemas"]["TelemetryService"][];
            /** @description The keys of the points' own attributes. */
            attribute_keys: string[];
            /** @description The keys of the resources' attributes. */
            resource_attribute_keys: string[];
        };
        /** @description A page of metrics. */
        MetricPage: {
            /** @description The metrics of this page. */
            items: components["schemas"]["MetricSummary"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * @description The source of an attribute of a series. `any` reads the attribute of its points if they have the key, otherwise the resource attribute. `intrinsic` reads the fields that every series has: `service`, `unit`, `scope_name`.
         * @enum {string}
         */
        SeriesAttributeSource: "any" | "point" | "resource" | "intrinsic";
        /**
         * @description A condition on the value of an attribute. `neq` and `not_contains` also match series without the attribute.
         * @example {
         *       "attribute_key": "http.route",
         *       "operator": "eq",
         *       "value": "/cart"
         *     }
         * @example {
         *       "attribute_source": "intrinsic",
         *       "attribute_key": "unit",
         *       "operator": "eq",
         *       "value": "ms"
         *     }
         * @example {
         *       "attribute_source": "point",
         *       "attribute_key": "tenant",
         *       "operator": "neq",
         *       "value": "t-1"
         *     }
         */
        SeriesValueCondition: {
            attribute_source?: components["schemas"]["SeriesAttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
            /**
             * @description How the attribute is compared with `value`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            operator: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "matches" | "gt" | "gte" | "lt" | "lte";
            value: components["schemas"]["ConditionValue"];
        };
        /**
         * @description A condition on the presence of an attribute. `not_exists` matches the series without it.
         * @example {
         *       "attribute_source": "resource",
         *       "attribute_key": "k8s.pod.name",
         *       "operator": "exists"
         *     }
         */
        SeriesPresenceCondition: {
            attribute_source?: components["schemas"]["SeriesAttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
            /**
             * @description Whether the attribute must be present or absent. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            operator: "exists" | "not_exists";
            /** @description Ignored. */
            value?: unknown;
        };
        /** @description A condition on one series. `exists` and `not_exists` need no value; all other operators require one. */
        SeriesCondition: components["schemas"]["SeriesValueCondition"] | components["schemas"]["SeriesPresenceCondition"];
        /**
         * @description How the points of a bucket are aggregated.
         * @enum {string}
         */
        MetricAggregation: "avg" | "min" | "max" | "sum" | "count" | "rate" | "p50" | "p95" | "p99" | "last";
        /**
         * @description An attribute to group series by.
         * @example {
         *       "attribute_key": "http.route"
         *     }
         * @example {
         *       "attribute_source": "intrinsic",
         *       "attribute_key": "service"
         *     }
         */
        SeriesAttribute: {
            attribute_source?: components["schemas"]["SeriesAttributeSource"];
            attribute_key: components["schemas"]["AttributeKey"];
        };
        /** @description A query of one metric. The window defaults to the last hour, and `step_s` to the smallest of 1, 2, 5, 10, 15, 30, … that yields at most 500 points per series. A width that yields more gets 400. */
        MetricQuery: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            metric: components["schemas"]["MetricName"];
            /** @description Conditions on one series. All must be true. They select series before any point is read. */
            conditions?: components["schemas"]["SeriesCondition"][];
            aggregation: components["schemas"]["MetricAggregation"];
            step_s?: components["schemas"]["StepSeconds"];
            /** @description The attributes to group by. Series with the same values are combined. Without `group_by`, all series are combined. */
            group_by?: components["schemas"]["SeriesAttribute"][];
            /**
             * Format: int32
             * @description The maximum number of groups to return for each kind and unit. The groups with the largest values are returned.
             * @default 10
             */
            groups_max?: number;
        };
        /**
         * @description The start of the bucket and its value.
         * @example [
         *       "2026-03-01T09:00:00Z",
         *       12.5
         *     ]
         */
        MetricDataPoint: [
            string,
            number
        ];
        /** @description The values of one group of series of one kind and unit. */
        MetricDataSeries: {
            kind: components["schemas"]["MetricKind"];
            /** @description The unit of the series. A `rate` is per second, and a `count` has no unit. */
            unit: string;
            /** @description The values of the `group_by` attributes as text, in the order of `group_by`. null if the series do not have the attribute. */
            group: (string | null)[];
            /** @description The points, oldest first. Buckets without data have no point. */
            points: components["schemas"]["MetricDataPoint"][];
        };
        /** @description The values of a metric over time. */
        MetricData: {
            step_s: components["schemas"]["StepSeconds"];
            /**
             * Format: int64
             * @description The total number of groups. It exceeds the number of `series` if `groups_max` omitted some.
             */
            group_count: number;
            /** @description The series, ordered by kind and unit, then by largest value. Ties are ordered by the text of their group. Empty without telemetry. */
            series: components["schemas"]["MetricDataSeries"][];
        };
        /** @description A query for the points of one metric, and the page to return. The window defaults to the last hour. */
        MetricPointsSearch: {
            from?: components["schemas"]["Timestamp"];
            to?: components["schemas"]["Timestamp"];
            metric: components["schemas"]["MetricName"];
            /** @description Conditions on one series. All must be true. They select series before any point is read. */
            conditions?: components["schemas"]["SeriesCondition"][];
            limit?: components["schemas"]["PageSize"];
            /** @description The `next_cursor` of the previous page; null or absent for the first page. */
            cursor?: string | null;
        };
        /** @description The complete series of a point. */
        MetricPointSeries: {
            /** @description The name of the metric. */
            metric: string;
            kind: components["schemas"]["MetricKind"];
            /** @description The unit of the metric. Empty if it was not sent. */
            unit: string;
            /** @description The description of the metric. Empty if it was not sent. */
            description: string;
            temporality: components["schemas"]["Temporality"];
            /** @description Whether a sum only increases. */
            monotonic: boolean;
            /** @description The service that sent the points; `unknown_service` if its resource names none. */
            service: string;
            scope: components["schemas"]["SpanScope"];
            /** @description The attributes of the points. */
            attributes: components["schemas"]["Attribute"][];
            /** @description The attributes of the resource that sent the points. */
            resource_attributes: components["schemas"]["Attribute"][];
            /** @description The metadata of the metric, as attributes. */
            metadata: components["schemas"]["Attribute"][];
        };
        /**
         * @description A number with its OTLP type.
         * @example {
         *       "type": "int",
         *       "value": 7
         *     }
         */
        MetricNumber: {
            /**
             * @description The type that was sent.
             * @enum {string}
             */
            type: "int" | "double";
            /** @description An int beyond 2^53 is a string. A double that JSON cannot represent is `"NaN"`, `"Infinity"` or `"-Infinity"`. */
            value: number | string;
        };
        /**
         * @description An integer, as a string because it can exceed 2^53.
         * @example 3
         */
        ObservationCount: string;
        /**
         * @description A double. Values that JSON cannot represent are `"NaN"`, `"Infinity"` or `"-Infinity"`.
         * @example 12.5
         * @example NaN
         */
        DoubleValue: number | string;
        /** @description A histogram with explicit bounds. `sum`, `min` and `max` are absent if they were not sent. */
        HistogramValue: {
            count: components["schemas"]["ObservationCount"];
            sum?: components["schemas"]["DoubleValue"];
            min?: components["schemas"]["DoubleValue"];
            max?: components["schemas"]["DoubleValue"];
            /** @description The upper bound of each bucket but the last, in ascending order. */
            bounds: components["schemas"]["DoubleValue"][];
            /** @description The count of each bucket: one more than there are bounds, or none at all. */
            bucket_counts: components["schemas"]["ObservationCount"][];
        };
        /** @description The counts of consecutive buckets, starting with the bucket `offset`. */
        ExponentialBuckets: {
            /**
             * Format: int64
             * @description The index of the first bucket.
             */
            offset: number;
            /** @description The count of each bucket, in ascending order of index. */
            bucket_counts: components["schemas"]["ObservationCount"][];
        };
        /** @description A histogram whose bounds are powers of 2^(2^-scale). `sum`, `min` and `max` are absent if they were not sent. */
        ExponentialHistogramValue: {
            count: components["schemas"]["ObservationCount"];
            sum?: components["schemas"]["DoubleValue"];
            min?: components["schemas"]["DoubleValue"];
            max?: components["schemas"]["DoubleValue"];
            /**
             * Format: int64
             * @description The resolution of the buckets. Bucket `i` holds values greater than `base^i` and at most `base^(i+1)`, where `base` is 2^(2^-scale).
             */
            scale: number;
            zero_count: components["schemas"]["ObservationCount"];
            zero_threshold: components["schemas"]["DoubleValue"];
            positive: components["schemas"]["ExponentialBuckets"];
            negative: components["schemas"]["ExponentialBuckets"];
        };
        /** @description A quantile and its value. */
        QuantileValue: {
            /**
             * Format: double
             * @description The quantile, from 0 to 1.
             */
            quantile: number;
            value: components["schemas"]["DoubleValue"];
        };
        /** @description The value of a summary. */
        SummaryValue: {
            count: components["schemas"]["ObservationCount"];
            sum: components["schemas"]["DoubleValue"];
            /** @description The quantiles that were sent. */
            quantiles: components["schemas"]["QuantileValue"][];
        };
        /** @description An observation that contributed to a point. Ids that were not sent are null; `number` is absent if it was not sent. */
        Exemplar: {
            time: components["schemas"]["Timestamp"];
            number?: components["schemas"]["MetricNumber"];
            /** @description The trace id of the observation. */
            trace_id: string | null;
            /** @description The span id of the observation. */
            span_id: string | null;
            /** @description The attributes of the observation that the point does not have. */
            attributes: components["schemas"]["Attribute"][];
        };
        /** @description One point as it was sent. Gauges and sums have `number`, which is absent if the sender set the flag `NO_RECORDED_VALUE`. Other kinds have the field named after the kind. */
        MetricPoint: {
            time: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description The start timestamp. null if it was not sent.
             */
            start_time: string | null;
            /**
             * Format: int64
             * @description The OTLP flags, an unsigned 32-bit integer.
             */
            flags: number;
            series: components["schemas"]["MetricPointSeries"];
            number?: components["schemas"]["MetricNumber"];
            histogram?: components["schemas"]["HistogramValue"];
            exponential_histogram?: components["schemas"]["ExponentialHistogramValue"];
            summary?: components["schemas"]["SummaryValue"];
            /** @description The exemplars of the point. */
            exemplars: components["schemas"]["Exemplar"][];
        };
        /** @description A page of the points of a metric. */
        MetricPointPage: {
            /** @description The points of this page. */
            items: components["schemas"]["MetricPoint"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /**
         * Format: int32
         * @description A maximum number of spans.
         * @example 500000
         */
        SpanLimit: number;
        /** @description An attribute key of spans in the window. */
        AttributeKeySummary: {
            /** @description The key of the attribute. */
            key: string;
            /**
             * @description Where spans carry the attribute.
             * @enum {string}
             */
            source: "span" | "resource" | "intrinsic";
            /** @description The OTLP types of its values, in alphabetical order. */
            types: components["schemas"]["AttributeType"][];
            /**
             * Format: int64
             * @description The number of spans in the window that have the attribute.
             */
            span_count?: number;
        };
        /** @description A page of what spans carry. `from` is the start of the part of the window that was read. */
        AttributeKeyPage: {
            /** @description The attribute keys of this page. */
            items: components["schemas"]["AttributeKeySummary"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
            from: components["schemas"]["Timestamp"];
        };
        /** @description A value of the attribute on spans in the window. */
        AttributeValueSummary: {
            /** @description The value as text, as conditions compare it. */
            value: string;
            type: components["schemas"]["AttributeType"];
            /**
             * Format: int64
             * @description The number of spans in the window that have the value.
             */
            span_count?: number;
        };
        /** @description A page of what spans carry. `from` is the start of the part of the window that was read. */
        AttributeValuePage: {
            /** @description The attribute values of this page. */
            items: components["schemas"]["AttributeValueSummary"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
            from: components["schemas"]["Timestamp"];
        };
        /**
         * @description What a caller can do. In ascending order: `restricted`, `viewer`, `contributor`, `admin`. `ingest` can only send telemetry.
         * @enum {string}
         */
        Role: "restricted" | "viewer" | "contributor" | "admin" | "ingest";
        /** @description An API key without its secret. */
        ApiKey: {
            id: components["schemas"]["RecordId"];
            /** @description The name of the key. */
            name: string;
            role: components["schemas"]["Role"];
            /** @description The first characters of the key, to identify where it is used. */
            prefix: string;
            /** @description The last four characters of the key. */
            last4: string;
            /**
             * Format: date-time
             * @description When the key expires. null means never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, accurate to about 30 seconds. null means never.
             */
            last_used_at: string | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            /** @description The subject that created the key. */
            created_by: string;
        };
        /** @description A page of API keys. */
        ApiKeyPage: {
            /** @description The API keys of this page. */
            items: components["schemas"]["ApiKey"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description A new API key. Read-only and ignored, so that an `ApiKey` can be sent back as it was read: `id`, `prefix`, `last4`, `last_used_at`, `created_at`, `updated_at`, `created_by`. */
        ApiKeyCreate: {
            /** @description What the key is used for. */
            name: string;
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @description When the key expires. Must be in the future. null or absent means never.
             */
            expires_at?: string | null;
            id?: components["schemas"]["RecordId"];
            /** @description The first characters of the key, to identify where it is used. */
            prefix?: string;
            /** @description The last four characters of the key. */
            last4?: string;
            /**
             * Format: date-time
             * @description When the key was last used, accurate to about 30 seconds. null means never.
             */
            last_used_at?: string | null;
            created_at?: components["schemas"]["Timestamp"];
            updated_at?: components["schemas"]["Timestamp"];
            /** @description The subject that created the key. */
            created_by?: string;
        };
        /** @description The created API key. Only this response contains the key itself. */
        ApiKeyCreated: {
            id: components["schemas"]["RecordId"];
            /** @description The name of the key. */
            name: string;
            role: components["schemas"]["Role"];
            /** @description The first characters of the key, to identify where it is used. */
            prefix: string;
            /** @description The last four characters of the key. */
            last4: string;
            /**
             * Format: date-time
             * @description When the key expires. null means never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, accurate to about 30 seconds. null means never.
             */
            last_used_at: string | null;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            /** @description The subject that created the key. */
            created_by: string;
            /** @description The key. Send it in the header `Authorization: Bearer <key>`. It cannot be retrieved later. */
            key: string;
        };
        /**
         * @description The subject of a caller, as `GET /api/v1/me` returns it, or `server` for a change that no request made.
         * @example ada
         * @example key:01JNB4Y8Z0V6Q3W2R7T5X9K1MD
         */
        ActorSubject: string;
        /**
         * @description What happened to a record. `tested` is a test of a channel, and `retried` a new attempt of a delivery.
         * @enum {string}
         */
        AuditAction: "created" | "updated" | "deleted" | "tested" | "retried";
        /**
         * @description The kind of a record in the audit log.
         * @enum {string}
         */
        AuditedKind: "integration" | "integration_grants" | "saved_view" | "facet" | "facet_overrides" | "facet_mappings" | "channel" | "delivery" | "alert_rule" | "api_key";
        /**
         * @description The id of a record. For grants it is the id of their integration, for a custom facet its slug, and for overrides and mappings of facets the service.
         * @example 01JNB4Y8Z0V6Q3W2R7T5X9K1MD
         * @example payments
         */
        AuditedId: string;
        /**
         * @description The `X-Request-Id` of a request.
         * @example 0b8c3a5e-6d4f-4f0e-9a53-0c3c2a1f7d11
         */
        RequestId: string;
        /** @description Who made a change. */
        AuditActor: {
            /**
             * @description The kind of credential. `server` means that no request made the change.
             * @enum {string}
             */
            kind: "token" | "api_key" | "server";
            subject: components["schemas"]["ActorSubject"];
            role?: components["schemas"]["Role"];
            /** @description The name of the API key at that time. */
            key_name?: string;
        };
        /** @description The record that a change concerns. */
        AuditedRecord: {
            kind: components["schemas"]["AuditedKind"];
            id: components["schemas"]["AuditedId"];
            /** @description The name of the record at that time. */
            name: string;
        };
        /** @description A record as its operations return it to a viewer: without credentials, with masked URLs and templates of channels, and without the state of alert rules. */
        AuditedState: {
            [key: string]: unknown;
        };
        /** @description A change of one record. */
        AuditEntry: {
            id: components["schemas"]["RecordId"];
            at: components["schemas"]["Timestamp"];
            actor: components["schemas"]["AuditActor"];
            /** @description The operation of this document that made the change. */
            operation?: string;
            request_id?: components["schemas"]["RequestId"];
            action: components["schemas"]["AuditAction"];
            record: components["schemas"]["AuditedRecord"];
            /** @description JSON pointers of the fields that an update changed. Includes fields that `before` and `after` mask, such as credentials. */
            changed: string[];
            before?: components["schemas"]["AuditedState"];
            after?: components["schemas"]["AuditedState"];
            /** @description Whether `before` or `after` is incomplete, because the record has more than 16 KiB. Unchanged items of its lists are left out first, then its largest fields. */
            truncated: boolean;
        };
        /** @description A page of the audit log. */
        AuditEntryPage: {
            /** @description The entries of this page. */
            items: components["schemas"]["AuditEntry"][];
            /** @description The cursor of the next page; null on the last page. */
            next_cursor: string | null;
        };
        /** @description The identity of the caller. */
        Caller: {
            /** @description The `sub` claim of a JWT, or `key:` and the id of an API key. */
            subject: string;
            /** @description The organization of the caller. */
            org: string;
            role: components["schemas"]["Role"];
        };
        /** @description The versions of the software that answers. */
        ServerVersions: {
            /** @description The version of Tracefold. */
            version: string;
            /** @description The version of the ClickHouse server that stores the telemetry. */
            clickhouse_version: string;
        };
        /** @description What Tempo says about its build. Only `version` and `revision` have a meaning here. */
        TempoBuildInfo: {
            /** @description The version of Tempo whose features Grafana can expect. */
            version: string;
            /** @description The version of this server. */
            revision: string;
            /** @description Always empty. */
            branch: string;
            /** @description Always empty. */
            buildUser: string;
            /** @description Always empty. */
            buildDate: string;
            /** @description Always empty. */
            goVersion: string;
        };
        /**
         * @description A query.
         * @example { resource.service.name = "storefront" && status = error }
         */
        TraceQl: string;
        /**
         * @description A duration with a unit of ns, us, ms, s, m or h.
         * @example 1.5s
         * @example 100ms
         */
        GoDuration: string;
        /**
         * Format: int32
         * @description A number of traces.
         * @example 20
         */
        TempoLimit: number;
        /**
         * Format: int32
         * @description A number of spans.
         * @example 3
         */
        SpansPerSet: number;
        /**
         * @description Seconds since 1970, or nanoseconds if it has more than 11 digits.
         * @example 1772358067
         * @example 1772358067250000001
         */
        UnixTime: string;
        /**
         * @description The id of a trace, up to 32 hexadecimal digits in either case. Leading zeros may be missing.
         * @example 2b9633813fc60c
         */
        TempoTraceId: string;
        /**
         * @description A number of nanoseconds, or of nanoseconds since 1970.
         * @example 1772358067250000001
         */
        NanosecondsText: string;
        /** @description An OTLP `AnyValue` in JSON; see opentelemetry/proto/common/v1/common.proto. */
        AnyValue: {
            [key: string]: unknown;
        };
        /** @description An attribute of a span that the query names. */
        TempoAttribute: {
            /** @description The key of the attribute. */
            key: string;
            value: components["schemas"]["AnyValue"];
        };
        /** @description A span that the query selects. */
        TempoFoundSpan: {
            spanID: components["schemas"]["SpanId"];
            /** @description The name of the span. */
            name: string;
            startTimeUnixNano: components["schemas"]["NanosecondsText"];
            durationNanos: components["schemas"]["NanosecondsText"];
            /** @description The attributes of the span that the query names. */
            attributes: components["schemas"]["TempoAttribute"][];
        };
        /** @description The spans of a trace that the query selects. */
        TempoSpanSet: {
            /** @description The first of them by start, at most `spss`. */
            spans: components["schemas"]["TempoFoundSpan"][];
            /**
             * Format: int64
             * @description The number of all of them.
             */
            matched: number;
        };
        /** @description A trace that a search found. */
        TempoFoundTrace: {
            traceID: components["schemas"]["TempoTraceId"];
            /** @description The service of the root, or of the first span if there is no root in the window. */
            rootServiceName: string;
            /** @description The name of the same span. */
            rootTraceName: string;
            startTimeUnixNano: components["schemas"]["NanosecondsText"];
            /**
             * Format: int64
             * @description The duration of the trace in milliseconds.
             */
            durationMs: number;
            /** @description The spans that the query selects. */
            spanSets: components["schemas"]["TempoSpanSet"][];
        };
        /** @description What Tempo says about the cost of a query. Always empty. */
        TempoMetrics: {
            [key: string]: unknown;
        };
        /** @description The traces that a search found, newest first. */
        TempoSearchResult: {
            /** @description The traces. */
            traces: components["schemas"]["TempoFoundTrace"][];
            metrics: components["schemas"]["TempoMetrics"];
        };
        /**
         * @description The scope of a tag. There are no tags of events, links and instrumentation scopes.
         * @enum {string}
         */
        TagScope: "resource" | "span" | "intrinsic" | "event" | "link" | "instrumentation";
        /**
         * Format: int32
         * @description A number of tags or values.
         * @example 5000
         */
        TempoTagLimit: number;
        /** @description The names of tags. */
        TempoTagNames: {
            /** @description The names. */
            tagNames: string[];
            metrics: components["schemas"]["TempoMetrics"];
        };
        /**
         * @description The name of a tag.
         * @example span.http.route
         * @example service.name
         */
        TagName: string;
        /** @description The values of a tag as texts. */
        TempoTagTexts: {
            /** @description The values. */
            tagValues: string[];
            metrics: components["schemas"]["TempoMetrics"];
        };
        /** @description The tags of one scope. */
        TempoScopeTags: {
            /** @description The name of the scope. */
            name: string;
            /** @description The names of the tags. */
            tags: string[];
        };
        /** @description The names of tags by scope. */
        TempoTags: {
            /** @description The tags of each scope. */
            scopes: components["schemas"]["TempoScopeTags"][];
            metrics: components["schemas"]["TempoMetrics"];
        };
        /** @description A value of a tag. */
        TempoTagValue: {
            /**
             * @description The type of the value.
             * @enum {string}
             */
            type: "string" | "int" | "float" | "bool" | "keyword";
            /** @description The value as text. */
            value: string;
        };
        /** @description The values of a tag with their types. */
        TempoTagValues: {
            /** @description The values. */
            tagValues: components["schemas"]["TempoTagValue"][];
            metrics: components["schemas"]["TempoMetrics"];
        };
        /** @description A trace as version 1 of Tempo's API returns it, with ids in hexadecimal as in OTLP JSON. */
        TempoTraceBatches: {
            /** @description The spans of the trace, grouped by resource. */
            batches: components["schemas"]["ResourceSpans"][];
        };
        /** @description A trace as version 2 of Tempo's API returns it, with ids in hexadecimal as in OTLP JSON. */
        TempoTrace: {
            trace: components["schemas"]["ExportTraceServiceRequest"];
        };
        /** @description A `google.protobuf.Any`. */
        ProtobufAny: {
            [key: string]: unknown;
        };
        /** @description A `google.rpc.Status`, which OTLP uses for errors. */
        RpcStatus: {
            /**
             * Format: int32
             * @description A `google.rpc.Code`.
             */
            code?: number;
            /** @description What is wrong, and what is allowed. */
            message?: string;
            /** @description Details of the error. */
            details?: components["schemas"]["ProtobufAny"][];
        };
        /** @description How many spans were rejected permanently, and why. All others are stored. */
        ExportTracePartialSuccess: {
            /** @description A 64-bit integer. */
            rejectedSpans?: string;
            /** @description Why they were rejected. */
            errorMessage?: string;
        };
        /** @description An OTLP `ExportTraceServiceResponse`. Empty if every span was stored. */
        ExportTraceServiceResponse: {
            partialSuccess?: components["schemas"]["ExportTracePartialSuccess"];
        };
        /** @description An OTLP `ResourceMetrics`; see opentelemetry/proto/metrics/v1/metrics.proto. */
        ResourceMetrics: {
            [key: string]: unknown;
        };
        /** @description An OTLP `ExportMetricsServiceRequest` in the JSON mapping of OTLP 1.x. Unknown fields are ignored, ids are hexadecimal in either case, 64-bit integers are strings or numbers. */
        ExportMetricsServiceRequest: {
            /** @description The metrics, grouped by resource. */
            resourceMetrics?: components["schemas"]["ResourceMetrics"][];
        };
        /** @description How many data points were rejected permanently, and why. All others are stored. */
        ExportMetricsPartialSuccess: {
            /** @description A 64-bit integer. */
            rejectedDataPoints?: string;
            /** @description Why they were rejected. */
            errorMessage?: string;
        };
        /** @description An OTLP `ExportMetricsServiceResponse`. Empty if every point was stored. */
        ExportMetricsServiceResponse: {
            partialSuccess?: components["schemas"]["ExportMetricsPartialSuccess"];
        };
        /**
         * @description Any text.
         * @example orders.jsonl:1200-1320
         */
        IdempotencyKey: string;
        /** @description How many log records were rejected permanently, and why. All others are stored. */
        ExportLogsPartialSuccess: {
            /** @description A 64-bit integer. */
            rejectedLogRecords?: string;
            /** @description Why they were rejected. */
            errorMessage?: string;
        };
        /** @description An OTLP `ExportLogsServiceResponse`. Empty if every log record was stored. */
        ExportLogsServiceResponse: {
            partialSuccess?: components["schemas"]["ExportLogsPartialSuccess"];
        };
        /** @description The process is alive. */
        Health: {
            /**
             * @description Always `ok`.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description The result of one check. */
        ReadinessCheck: {
            /**
             * @description What is checked.
             * @example server
             * @example clickhouse
             * @example migrations
             * @example metadata
             * @example capacity
             */
            name: string;
            /** @description Whether the check passes. */
            ready: boolean;
            /** @description Why the check fails; absent if it passes. */
            detail?: string;
        };
        /** @description Whether the server is ready, with the result of each check. */
        Readiness: {
            /**
             * @description Whether every check passes.
             * @enum {string}
             */
            status: "ready" | "not_ready";
            /** @description The result of each check. */
            checks: components["schemas"]["ReadinessCheck"][];
        };
        /** @description An OpenAPI 3.1 document. */
        Document: {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description Any other error. */
        Default: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request does not match this document. `errors` lists every invalid field. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential is missing, invalid or expired. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The role of the caller does not allow the operation. */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request body is too large. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The media type of the request body is not supported. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is well formed but cannot be carried out. */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many concurrent requests. Retry after `Retry-After` seconds. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server or one of its dependencies is unavailable, or the query timed out. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description None of the media types in `Accept` is available. */
        NotAcceptable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The record does not exist in the organization of the caller, or is not visible to the caller. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The change conflicts with stored data or with itself. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `If-Match` does not match the version of the record. */
        VersionMismatch: {
            headers: {
                ETag: components["headers"]["Etag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description The id of the trace. */
        TraceIdParameter: components["schemas"]["TraceId"];
        /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
        FromParameter: components["schemas"]["Timestamp"];
        /** @description End of the window, exclusive. Defaults to now. */
        ToParameter: components["schemas"]["Timestamp"];
        /** @description A filter as JSON text. `from` and `to` of the request take precedence over those of the filter. */
        MessageFilterParameter: string;
        /** @description The id of the span. */
        SpanIdParameter: components["schemas"]["SpanId"];
        /** @description The maximum number of items in a page. */
        LimitParameter: components["schemas"]["PageSize"];
        /** @description The `next_cursor` of the previous page. */
        CursorParameter: components["schemas"]["Cursor"];
        /** @description The id of the record. */
        IdParameter: components["schemas"]["RecordId"];
        /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
        IfMatchParameter: components["schemas"]["EntityTags"];
        /** @description The id of the matcher. */
        MatcherIdParameter: components["schemas"]["RecordId"];
        /** @description Returns only alerts in this state. */
        AlertStateParameter: components["schemas"]["AlertState"];
        /** @description Returns only alerts of this rule, which may have been deleted. */
        RuleIdParameter: components["schemas"]["RecordId"];
        /** @description Returns only deliveries about this alert. */
        AlertIdParameter: components["schemas"]["RecordId"];
        /** @description The id of the delivery, which is also the `webhook-id` of its requests. */
        DeliveryIdParameter: components["schemas"]["RecordId"];
        /** @description The name of the service. */
        ServiceParameter: components["schemas"]["PathService"];
        /** @description The name of the service, percent-encoded in the path. */
        ConfiguredServiceParameter: components["schemas"]["ConfiguredService"];
        /** @description Whether to return the number of spans in the window that each rule classified. */
        ExplainParameter: components["schemas"]["Explain"];
        /** @description The id of the widget. */
        WidgetIdParameter: components["schemas"]["WidgetId"];
        /** @description The width of a time bucket in seconds. Defaults to the smallest of 1, 2, 5, 10, 15, 30, … that yields at most 500 points per series. Returns 400 for a width that yields more. */
        StepParameter: components["schemas"]["StepSeconds"];
        /** @description The slug of the facet. */
        FacetSlugParameter: components["schemas"]["FacetSlug"];
        /** @description How the import treats existing records. */
        ImportModeParameter: components["schemas"]["ImportMode"];
        /** @description Whether to report what the import would change without changing it. */
        DryRunParameter: components["schemas"]["DryRun"];
        /** @description Returns only items that start with this text. Case-sensitive. */
        PrefixParameter: components["schemas"]["TextPrefix"];
        /** @description The source of the attribute. Defaults to `any`. */
        AttributeSourceParameter: components["schemas"]["AttributeSource"];
        /** @description The maximum number of spans to read, approximately. If the window contains more, only its newest part is read, which begins at `from` of the response. Without it, all spans of the window are read, which takes seconds for every ten million. Callers with the role `restricted` always get the whole window. */
        SpanLimitParameter: components["schemas"]["SpanLimit"];
        /** @description The key of the attribute. */
        AttributeKeyParameter: components["schemas"]["AttributeKey"];
        /** @description Returns only changes by this subject. */
        AuditActorParameter: components["schemas"]["ActorSubject"];
        /** @description Returns only changes with this action. */
        AuditActionParameter: components["schemas"]["AuditAction"];
        /** @description Returns only changes of records of this kind. */
        AuditedKindParameter: components["schemas"]["AuditedKind"];
        /** @description Returns only changes of this record. */
        AuditedIdParameter: components["schemas"]["AuditedId"];
        /** @description Returns only changes by this request. All changes of an import have the same. */
        RequestIdParameter: components["schemas"]["RequestId"];
        /** @description A TraceQL query. The parts of the language that are accepted are listed in docs/grafana.md. */
        TempoQParameter: components["schemas"]["TraceQl"];
        /** @description Tags as logfmt, `key=value key2="a b"`. One span carries all of them; a value contains the text in either case. */
        TempoTagsParameter: components["schemas"]["TraceQl"];
        /** @description The minimum duration of a trace. */
        TempoMinDurationParameter: components["schemas"]["GoDuration"];
        /** @description The maximum duration of a trace. */
        TempoMaxDurationParameter: components["schemas"]["GoDuration"];
        /** @description The maximum number of traces. Defaults to 20. */
        TempoLimitParameter: components["schemas"]["TempoLimit"];
        /** @description The maximum number of spans of each trace. Defaults to 3. */
        TempoSpssParameter: components["schemas"]["SpansPerSet"];
        /** @description Start of the window, inclusive. Defaults to one hour before `end`, unless the operation states otherwise. */
        TempoStartParameter: components["schemas"]["UnixTime"];
        /** @description End of the window, exclusive. Defaults to now, also if it and `start` are 0. */
        TempoEndParameter: components["schemas"]["UnixTime"];
        /** @description The scope of the tags. Without one, those of all scopes. */
        TempoScopeParameter: components["schemas"]["TagScope"];
        /** @description The maximum number of tags in a scope, or of values. 0 is the default of 1,000; the most is 10,000. */
        TempoTagLimitParameter: components["schemas"]["TempoTagLimit"];
        /** @description Ignored. In Tempo it ends the search early. */
        TempoStaleValuesParameter: components["schemas"]["TempoTagLimit"];
        /** @description In version 1 of the API the name of an attribute or intrinsic, in version 2 a TraceQL field such as `span.http.route`. */
        TempoTagParameter: components["schemas"]["TagName"];
        /** @description A TraceQL query in one pair of braces, to which the spans are restricted. Another query restricts nothing. */
        TempoTagFilterParameter: components["schemas"]["TraceQl"];
        /** @description The id of the trace. */
        TempoTraceIdParameter: components["schemas"]["TempoTraceId"];
        /** @description Distinguishes this request from others with the same records. Without it, such a request is a repetition, and nothing is stored. A repetition must have the same key. OTLP/gRPC reads it from the metadata `idempotency-key`. */
        IdempotencyKeyParameter: components["schemas"]["IdempotencyKey"];
    };
    requestBodies: never;
    headers: {
        /** @description The authentication scheme and error (RFC 6750). */
        WwwAuthenticate: string;
        /** @description Seconds to wait before retrying. */
        RetryAfter: number;
        /** @description The path of the created record. API keys, matchers and classification rules are read in lists only, so their paths take no GET. */
        Location: string;
        /** @description The version of the record, in quotes. Send it as `If-Match` to change only this version. */
        Etag: string;
        /** @description The content encodings that requests may have. Present if that of the request is not among them. */
        AcceptEncoding: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    searchMessages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageSearch"];
            };
        };
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    countMessages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageFilter"];
            };
        };
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageCount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    summarizeMessages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SentenceFilter"];
            };
        };
        responses: {
            /** @description The description. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageSummary"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    parseMessageSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageSentence"];
            };
        };
        responses: {
            /** @description The filter. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentenceFilter"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    exportMessages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageExport"];
            };
        };
        responses: {
            /** @description The messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["Ndjson"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    countMessagesOverTime: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageHistogramRequest"];
            };
        };
        responses: {
            /** @description The buckets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageHistogram"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    countMessagesByAttribute: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageBreakdownRequest"];
            };
        };
        responses: {
            /** @description The groups. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageBreakdown"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    compareMessages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageComparisonRequest"];
            };
        };
        responses: {
            /** @description The differences. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageComparison"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getMessage: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
            };
            header?: never;
            path: {
                /** @description The id of the trace. */
                trace_id: components["parameters"]["TraceIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    explainMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the trace. */
                trace_id: components["parameters"]["TraceIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageFilter"];
            };
        };
        responses: {
            /** @description The explanation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageExplanation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getMessageSkeleton: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
                /** @description A filter as JSON text. `from` and `to` of the request take precedence over those of the filter. */
                filter?: components["parameters"]["MessageFilterParameter"];
            };
            header?: never;
            path: {
                /** @description The id of the trace. */
                trace_id: components["parameters"]["TraceIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skeleton. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageSkeleton"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    queryMessageSkeleton: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the trace. */
                trace_id: components["parameters"]["TraceIdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageFilter"];
            };
        };
        responses: {
            /** @description The skeleton. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageSkeleton"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getMessageOtlp: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
            };
            header?: never;
            path: {
                /** @description The id of the trace. */
                trace_id: components["parameters"]["TraceIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportTraceServiceRequest"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getMessageSpan: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
            };
            header?: never;
            path: {
                /** @description The id of the trace. */
                trace_id: components["parameters"]["TraceIdParameter"];
                /** @description The id of the span. */
                span_id: components["parameters"]["SpanIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The span. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpanDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listMessageLogs: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path: {
                /** @description The id of the trace. */
                trace_id: components["parameters"]["TraceIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of log records. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageLogPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    exportLogRecords: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogExport"];
            };
        };
        responses: {
            /** @description The log records. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["Ndjson"];
                    "text/csv": components["schemas"]["Csv"];
                    "application/json": components["schemas"]["ExportLogsServiceRequest"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    searchLogs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogSearch"];
            };
        };
        responses: {
            /** @description A page of log records. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of integrations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    createIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationCreate"];
            };
        };
        responses: {
            /** @description The created integration. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    previewIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationPreviewRequest"];
            };
        };
        responses: {
            /** @description The counts and the rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationPreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The integration. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    updateIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationUpdate"];
            };
        };
        responses: {
            /** @description The updated integration. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    deleteIntegration: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The integration was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionMismatch"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    replaceMatchers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MatcherReplacement"];
            };
        };
        responses: {
            /** @description The updated integration. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    addMatcher: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MatcherInput"];
            };
        };
        responses: {
            /** @description The created matcher. `ETag` is the new version of the integration. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Matcher"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    deleteMatcher: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
                /** @description The id of the matcher. */
                matcher_id: components["parameters"]["MatcherIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The matcher was deleted. `ETag` is the new version of the integration. */
            204: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionMismatch"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    cloneIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationClone"];
            };
        };
        responses: {
            /** @description The created integration. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getIntegrationStats: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
            };
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationStats"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getIntegrationFlowGraph: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
            };
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The flow graph. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlowGraph"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    compareIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IntegrationDiffRequest"];
            };
        };
        responses: {
            /** @description The changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationDiff"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getIntegrationGrants: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grants. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grants"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    replaceIntegrationGrants: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantsReplacement"];
            };
        };
        responses: {
            /** @description The updated grants. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Grants"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listSavedViews: {
        parameters: {
            query?: {
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of saved views. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    createSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedViewCreate"];
            };
        };
        responses: {
            /** @description The created view. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    updateSavedView: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedViewUpdate"];
            };
        };
        responses: {
            /** @description The updated view. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    deleteSavedView: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    searchSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavedViewSearch"];
            };
        };
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listChannels: {
        parameters: {
            query?: {
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of channels. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelCreate"];
            };
        };
        responses: {
            /** @description The created channel, including the signing secret if one was generated. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    updateChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelUpdate"];
            };
        };
        responses: {
            /** @description The updated channel. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionMismatch"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listAlertRules: {
        parameters: {
            query?: {
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of alert rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRulePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    createAlertRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertRuleCreate"];
            };
        };
        responses: {
            /** @description The created alert rule. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    previewAlertRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertRulePreviewRequest"];
            };
        };
        responses: {
            /** @description The result of the evaluation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRulePreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getAlertRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert rule. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    updateAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertRuleUpdate"];
            };
        };
        responses: {
            /** @description The updated alert rule. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    deleteAlertRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert rule was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description Returns only alerts in this state. */
                state?: components["parameters"]["AlertStateParameter"];
                /** @description Returns only alerts of this rule, which may have been deleted. */
                rule_id?: components["parameters"]["RuleIdParameter"];
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of alerts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alert. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listTemplateVariables: {
        parameters: {
            query?: {
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The variables, ordered by namespace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateVariablePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    previewTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplatePreviewRequest"];
            };
        };
        responses: {
            /** @description The body that would be posted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    testChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, with its attempt. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Returns only deliveries about this alert. */
                alert_id?: components["parameters"]["AlertIdParameter"];
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
                /** @description The id of the delivery, which is also the `webhook-id` of its requests. */
                delivery_id: components["parameters"]["DeliveryIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, now pending. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listServices: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of services. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServicePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getFacetOverrides: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
            };
            header?: never;
            path: {
                /** @description The name of the service. */
                name: components["parameters"]["ServiceParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overrides and the facets. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacetOverrides"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    replaceFacetOverrides: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
            };
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The name of the service, percent-encoded in the path. */
                name: components["parameters"]["ConfiguredServiceParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FacetOverridesReplacement"];
            };
        };
        responses: {
            /** @description The updated overrides and the facets. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacetOverrides"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listFacetMappings: {
        parameters: {
            query?: {
                /** @description Whether to return the number of spans in the window that each rule classified. */
                explain?: components["parameters"]["ExplainParameter"];
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path: {
                /** @description The name of the service. */
                name: components["parameters"]["ServiceParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rules. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacetMappingPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    createFacetMapping: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the service, percent-encoded in the path. */
                name: components["parameters"]["ConfiguredServiceParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FacetMappingCreate"];
            };
        };
        responses: {
            /** @description The created rule. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacetMapping"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    deleteFacetMapping: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the service, percent-encoded in the path. */
                name: components["parameters"]["ConfiguredServiceParameter"];
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getServiceDashboard: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
            };
            header?: never;
            path: {
                /** @description The name of the service. */
                name: components["parameters"]["ServiceParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sections of the dashboard. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceDashboard"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getWidgetData: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
                /** @description The width of a time bucket in seconds. Defaults to the smallest of 1, 2, 5, 10, 15, 30, … that yields at most 500 points per series. Returns 400 for a width that yields more. */
                step_s?: components["parameters"]["StepParameter"];
            };
            header?: never;
            path: {
                /** @description The name of the service. */
                name: components["parameters"]["ServiceParameter"];
                /** @description The id of the widget. */
                widget_id: components["parameters"]["WidgetIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data of the widget. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WidgetData"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listFacets: {
        parameters: {
            query?: {
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of facets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacetPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    createFacet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FacetCreate"];
            };
        };
        responses: {
            /** @description The created facet. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Facet"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getFacet: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
            };
            header?: never;
            path: {
                /** @description The slug of the facet. */
                slug: components["parameters"]["FacetSlugParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The facet and its services. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacetCarriers"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    updateFacet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The slug of the facet. */
                slug: components["parameters"]["FacetSlugParameter"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FacetUpdate"];
            };
        };
        responses: {
            /** @description The updated facet. */
            200: {
                headers: {
                    ETag: components["headers"]["Etag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Facet"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    deleteFacet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the version to change. Returns 412 if the record has another version. Without it, the current version is changed. */
                "If-Match"?: components["parameters"]["IfMatchParameter"];
            };
            path: {
                /** @description The slug of the facet. */
                slug: components["parameters"]["FacetSlugParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The facet was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["VersionMismatch"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    exportConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configuration. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigExport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    importConfig: {
        parameters: {
            query?: {
                /** @description How the import treats existing records. */
                mode?: components["parameters"]["ImportModeParameter"];
                /** @description Whether to report what the import would change without changing it. */
                dry_run?: components["parameters"]["DryRunParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfigImport"];
            };
        };
        responses: {
            /** @description The changes, by section. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigImportResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listMetrics: {
        parameters: {
            query?: {
                /** @description Returns only items that start with this text. Case-sensitive. */
                prefix?: components["parameters"]["PrefixParameter"];
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of metrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    queryMetric: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetricQuery"];
            };
        };
        responses: {
            /** @description The values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricData"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    searchMetricPoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetricPointsSearch"];
            };
        };
        responses: {
            /** @description A page of points. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricPointPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listAttributeKeys: {
        parameters: {
            query?: {
                /** @description The source of the attribute. Defaults to `any`. */
                source?: components["parameters"]["AttributeSourceParameter"];
                /** @description Returns only items that start with this text. Case-sensitive. */
                prefix?: components["parameters"]["PrefixParameter"];
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
                /** @description The maximum number of spans to read, approximately. If the window contains more, only its newest part is read, which begins at `from` of the response. Without it, all spans of the window are read, which takes seconds for every ten million. Callers with the role `restricted` always get the whole window. */
                span_limit?: components["parameters"]["SpanLimitParameter"];
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeKeyPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listAttributeValues: {
        parameters: {
            query: {
                /** @description The key of the attribute. */
                key: components["parameters"]["AttributeKeyParameter"];
                /** @description The source of the attribute. Defaults to `any`. */
                source?: components["parameters"]["AttributeSourceParameter"];
                /** @description Returns only items that start with this text. Case-sensitive. */
                prefix?: components["parameters"]["PrefixParameter"];
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
                /** @description The maximum number of spans to read, approximately. If the window contains more, only its newest part is read, which begins at `from` of the response. Without it, all spans of the window are read, which takes seconds for every ten million. Callers with the role `restricted` always get the whole window. */
                span_limit?: components["parameters"]["SpanLimitParameter"];
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributeValuePage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of API keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreate"];
            };
        };
        responses: {
            /** @description The created key. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: components["parameters"]["IdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `to`, unless the operation states otherwise. */
                from?: components["parameters"]["FromParameter"];
                /** @description End of the window, exclusive. Defaults to now. */
                to?: components["parameters"]["ToParameter"];
                /** @description Returns only changes by this subject. */
                actor?: components["parameters"]["AuditActorParameter"];
                /** @description Returns only changes with this action. */
                action?: components["parameters"]["AuditActionParameter"];
                /** @description Returns only changes of records of this kind. */
                record_kind?: components["parameters"]["AuditedKindParameter"];
                /** @description Returns only changes of this record. */
                record_id?: components["parameters"]["AuditedIdParameter"];
                /** @description Returns only changes by this request. All changes of an import have the same. */
                request_id?: components["parameters"]["RequestIdParameter"];
                /** @description The maximum number of items in a page. */
                limit?: components["parameters"]["LimitParameter"];
                /** @description The `next_cursor` of the previous page. */
                cursor?: components["parameters"]["CursorParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the audit log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getCaller: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Caller"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerVersions"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getTempoEcho: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": components["schemas"]["Text"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getTempoBuildInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TempoBuildInfo"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    searchTempoTraces: {
        parameters: {
            query?: {
                /** @description A TraceQL query. The parts of the language that are accepted are listed in docs/grafana.md. */
                q?: components["parameters"]["TempoQParameter"];
                /** @description Tags as logfmt, `key=value key2="a b"`. One span carries all of them; a value contains the text in either case. */
                tags?: components["parameters"]["TempoTagsParameter"];
                /** @description The minimum duration of a trace. */
                minDuration?: components["parameters"]["TempoMinDurationParameter"];
                /** @description The maximum duration of a trace. */
                maxDuration?: components["parameters"]["TempoMaxDurationParameter"];
                /** @description The maximum number of traces. Defaults to 20. */
                limit?: components["parameters"]["TempoLimitParameter"];
                /** @description The maximum number of spans of each trace. Defaults to 3. */
                spss?: components["parameters"]["TempoSpssParameter"];
                /** @description Start of the window, inclusive. Defaults to one hour before `end`, unless the operation states otherwise. */
                start?: components["parameters"]["TempoStartParameter"];
                /** @description End of the window, exclusive. Defaults to now, also if it and `start` are 0. */
                end?: components["parameters"]["TempoEndParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The traces. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TempoSearchResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getTempoTagNames: {
        parameters: {
            query?: {
                /** @description The scope of the tags. Without one, those of all scopes. */
                scope?: components["parameters"]["TempoScopeParameter"];
                /** @description Start of the window, inclusive. Defaults to one hour before `end`, unless the operation states otherwise. */
                start?: components["parameters"]["TempoStartParameter"];
                /** @description End of the window, exclusive. Defaults to now, also if it and `start` are 0. */
                end?: components["parameters"]["TempoEndParameter"];
                /** @description The maximum number of tags in a scope, or of values. 0 is the default of 1,000; the most is 10,000. */
                limit?: components["parameters"]["TempoTagLimitParameter"];
                /** @description Ignored. In Tempo it ends the search early. */
                maxStaleValues?: components["parameters"]["TempoStaleValuesParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The names. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TempoTagNames"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getTempoTagTexts: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `end`, unless the operation states otherwise. */
                start?: components["parameters"]["TempoStartParameter"];
                /** @description End of the window, exclusive. Defaults to now, also if it and `start` are 0. */
                end?: components["parameters"]["TempoEndParameter"];
                /** @description The maximum number of tags in a scope, or of values. 0 is the default of 1,000; the most is 10,000. */
                limit?: components["parameters"]["TempoTagLimitParameter"];
                /** @description Ignored. In Tempo it ends the search early. */
                maxStaleValues?: components["parameters"]["TempoStaleValuesParameter"];
            };
            header?: never;
            path: {
                /** @description In version 1 of the API the name of an attribute or intrinsic, in version 2 a TraceQL field such as `span.http.route`. */
                tag: components["parameters"]["TempoTagParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TempoTagTexts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getTempoTags: {
        parameters: {
            query?: {
                /** @description The scope of the tags. Without one, those of all scopes. */
                scope?: components["parameters"]["TempoScopeParameter"];
                /** @description A TraceQL query in one pair of braces, to which the spans are restricted. Another query restricts nothing. */
                q?: components["parameters"]["TempoTagFilterParameter"];
                /** @description Start of the window, inclusive. Defaults to one hour before `end`, unless the operation states otherwise. */
                start?: components["parameters"]["TempoStartParameter"];
                /** @description End of the window, exclusive. Defaults to now, also if it and `start` are 0. */
                end?: components["parameters"]["TempoEndParameter"];
                /** @description The maximum number of tags in a scope, or of values. 0 is the default of 1,000; the most is 10,000. */
                limit?: components["parameters"]["TempoTagLimitParameter"];
                /** @description Ignored. In Tempo it ends the search early. */
                maxStaleValues?: components["parameters"]["TempoStaleValuesParameter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tags. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TempoTags"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getTempoTagValues: {
        parameters: {
            query?: {
                /** @description A TraceQL query in one pair of braces, to which the spans are restricted. Another query restricts nothing. */
                q?: components["parameters"]["TempoTagFilterParameter"];
                /** @description Start of the window, inclusive. Defaults to one hour before `end`, unless the operation states otherwise. */
                start?: components["parameters"]["TempoStartParameter"];
                /** @description End of the window, exclusive. Defaults to now, also if it and `start` are 0. */
                end?: components["parameters"]["TempoEndParameter"];
                /** @description The maximum number of tags in a scope, or of values. 0 is the default of 1,000; the most is 10,000. */
                limit?: components["parameters"]["TempoTagLimitParameter"];
                /** @description Ignored. In Tempo it ends the search early. */
                maxStaleValues?: components["parameters"]["TempoStaleValuesParameter"];
            };
            header?: never;
            path: {
                /** @description In version 1 of the API the name of an attribute or intrinsic, in version 2 a TraceQL field such as `span.http.route`. */
                tag: components["parameters"]["TempoTagParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TempoTagValues"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getTempoTraceBatches: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `end`, unless the operation states otherwise. */
                start?: components["parameters"]["TempoStartParameter"];
                /** @description End of the window, exclusive. Defaults to now, also if it and `start` are 0. */
                end?: components["parameters"]["TempoEndParameter"];
            };
            header?: never;
            path: {
                /** @description The id of the trace. */
                trace_id: components["parameters"]["TempoTraceIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TempoTraceBatches"];
                    "application/protobuf": components["schemas"]["Protobuf"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    getTempoTrace: {
        parameters: {
            query?: {
                /** @description Start of the window, inclusive. Defaults to one hour before `end`, unless the operation states otherwise. */
                start?: components["parameters"]["TempoStartParameter"];
                /** @description End of the window, exclusive. Defaults to now, also if it and `start` are 0. */
                end?: components["parameters"]["TempoEndParameter"];
            };
            header?: never;
            path: {
                /** @description The id of the trace. */
                trace_id: components["parameters"]["TempoTraceIdParameter"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trace. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TempoTrace"];
                    "application/protobuf": components["schemas"]["Protobuf"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["Refused"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Default"];
        };
    };
    ingestTraces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportTraceServiceRequest"];
                "application/x-protobuf": components["schemas"]["Protobuf"];
            };
        };
        responses: {
            /** @description Stored, except for the spans counted in `partialSuccess`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportTraceServiceResponse"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The body cannot be decoded. Do not retry. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The credential is missing, invalid or expired. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The role of the caller does not allow sending telemetry. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The body is too large, compressed or decompressed. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The media type or the content encoding is not supported. */
            415: {
                headers: {
                    "Accept-Encoding": components["headers"]["AcceptEncoding"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description Too many requests are in progress. Retry later. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The store is unavailable. Retry later. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
        };
    };
    ingestMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportMetricsServiceRequest"];
                "application/x-protobuf": components["schemas"]["Protobuf"];
            };
        };
        responses: {
            /** @description Stored, except for the points counted in `partialSuccess`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportMetricsServiceResponse"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The body cannot be decoded. Do not retry. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The credential is missing, invalid or expired. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The role of the caller does not allow sending telemetry. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The body is too large, compressed or decompressed. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The media type or the content encoding is not supported. */
            415: {
                headers: {
                    "Accept-Encoding": components["headers"]["AcceptEncoding"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description Too many requests are in progress. Retry later. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The store is unavailable. Retry later. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
        };
    };
    ingestLogs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Distinguishes this request from others with the same records. Without it, such a request is a repetition, and nothing is stored. A repetition must have the same key. OTLP/gRPC reads it from the metadata `idempotency-key`. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKeyParameter"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportLogsServiceRequest"];
                "application/x-protobuf": components["schemas"]["Protobuf"];
            };
        };
        responses: {
            /** @description Stored, except for the records counted in `partialSuccess`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportLogsServiceResponse"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The body cannot be decoded. Do not retry. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The credential is missing, invalid or expired. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The role of the caller does not allow sending telemetry. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The body is too large, compressed or decompressed. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The media type or the content encoding is not supported. */
            415: {
                headers: {
                    "Accept-Encoding": components["headers"]["AcceptEncoding"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description Too many requests are in progress. Retry later. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description The store is unavailable. Retry later. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
            /** @description Any other error. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RpcStatus"];
                    "application/x-protobuf": components["schemas"]["Protobuf"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server is ready. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description The server is not ready. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getPrometheusMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": components["schemas"]["Text"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getOpenapiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
    getApiReference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": components["schemas"]["Text"];
                };
            };
            default: components["responses"]["Default"];
        };
    };
}
