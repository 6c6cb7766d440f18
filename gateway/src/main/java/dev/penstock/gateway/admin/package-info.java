/**
 * What a running gateway shows over HTTP: {@code /} a page, {@code /health}, {@code /ready}, {@code /metrics}, {@code /flows}
 * and {@code /settings}.
 *
 * <pre>
 *   GET --> AdminServer --> WatchedGateway (what the gateway shows of itself)
 *                |              |
 *             AdminJson     FlowMetrics (one snapshot of each flow for each scrape)
 * </pre>
 *
 * <p>Nothing here counts: every number is read from the flows at the time it is asked for, so nothing is counted twice. It
 * changes nothing either: every endpoint is GET only.
 */
@NullMarked
package dev.penstock.gateway.admin;

import org.jspecify.annotations.NullMarked;
