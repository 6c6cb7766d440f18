/**
 * The admin server of a running gateway: {@code /} (dashboard), {@code /health}, {@code /ready}, {@code /metrics},
 * {@code /flows}, {@code /settings} and {@code /events}.
 *
 * <pre>
 *   GET --> AdminServer --> WatchedGateway (the gateway as the admin server sees it)
 *                |              |
 *             AdminJson     FlowMetrics (one snapshot of each flow per scrape)
 * </pre>
 *
 * <p>Nothing here counts: every number is read from the flows on request. Pinning a setting is the only change a client
 * can make.
 */
@NullMarked
package dev.penstock.gateway.admin;

import org.jspecify.annotations.NullMarked;
