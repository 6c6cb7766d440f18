package dev.penstock.cli.top;

import tools.jackson.databind.JsonNode;

/**
 * What the admin pages said.
 *
 * @param health the word of {@code /health}
 * @param flows those of {@code /flows}
 * @param settings those of {@code /settings}, by flow
 */
record Snapshot(String health, JsonNode flows, JsonNode settings) {}
