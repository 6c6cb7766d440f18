package dev.penstock.jdbc.guard;

/**
 * What a {@link GuardedDataSource} is like at a moment, and what it has counted.
 *
 * @param leased connections that callers have
 * @param idle connections that nobody has
 * @param waiting callers that wait for one
 * @param opened all connections ever opened
 * @param validations round trips that only asked whether a connection lives
 * @param metByCallers dead connections that were found when a caller was about to get one
 * @param foundIdle dead connections that were found while nobody wanted them
 * @param lastFailure why the last connection could not be opened; empty when all could
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
