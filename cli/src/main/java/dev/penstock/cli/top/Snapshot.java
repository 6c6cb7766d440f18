package dev.penstock.cli.top;

import tools.jackson.databind.JsonNode;

/**
 * The data read from the admin server.
 *
 * @param health the status of {@code /health}
 * @param flows the flows of {@code /flows}
 * @param settings the settings of {@code /settings}, by flow
 */
record Snapshot(String health, JsonNode flows, JsonNode settings) {}
