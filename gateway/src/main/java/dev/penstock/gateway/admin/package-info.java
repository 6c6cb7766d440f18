/**
 * The admin server of a running gateway: {@code /} (dashboard), {@code /health}, {@code /ready}, {@code /metrics},
 * {@code /flows}, {@code /settings} and {@code /events}. The pages are those of {@code dev.penstock.observe}; this package decides who
 * may see them and who may pin.
 *
 * <pre>
 *   GET  --> AdminServer --> Dashboard, PenstockMetrics --> WatchedProcess (the gateway)
 *                |
 *   POST --> PinHandler --> SettingChanges (log and audit file; JMX too)
 * </pre>
 *
 * <p>Nothing here counts: every number is read from the flows on request. Pinning a setting is the only change a client
 * can make.
 */
@NullMarked
package dev.penstock.gateway.admin;

import org.jspecify.annotations.NullMarked;
