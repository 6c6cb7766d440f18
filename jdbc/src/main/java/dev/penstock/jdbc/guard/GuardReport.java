package dev.penstock.jdbc.guard;

/**
 * The state of a {@link GuardedDataSource} at one moment, with its counters.
 *
 * @param leased connections in use
 * @param idle open connections that are not in use
 * @param waiting callers that wait for a connection
 * @param opened all connections opened since the start
 * @param validations round trips made only to check whether a connection is alive
 * @param metByCallers dead connections found when a caller was about to get them
 * @param foundIdle dead connections found while idle
 * @param lastFailure why the last failed attempt to open a connection failed; empty if none has failed
 */
public record GuardReport(
        int leased,
        int idle,
        int waiting,
        long opened,
        long validations,
        long metByCallers,
        long foundIdle,
        String lastFailure) {}
