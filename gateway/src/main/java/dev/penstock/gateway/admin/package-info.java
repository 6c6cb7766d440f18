/**
 * The admin server of a running gateway: {@code /} (dashboard), {@code /health}, {@code /ready}, {@code /metrics},
 * {@code /flows}, {@code /settings}, {@code /loggers} and {@code /events}. The pages are those of {@code dev.penstock.observe}; this package decides who
 * may see them and who may change something.
 *
 * <pre>
 *   GET  --> AdminServer --> Dashboard, PenstockMetrics --> WatchedProcess (the gateway)
 *                |
 *   POST --> ChangeHandler --> SettingChanges (log and audit file; JMX too)
 * </pre>
 *
 * <p>Nothing here counts: every number is read from the flows on request. A client can pin a setting, and set the level
 * of a logger.
 */
@NullMarked
package dev.penstock.gateway.admin;

import org.jspecify.annotations.NullMarked;
