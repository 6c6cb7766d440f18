package dev.penstock.lab.probe;

import dev.penstock.lab.probe.IdleConnection.KillKind;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Something on the way that kills idle connections, in virtual time: what an {@link IdleWatch} does with a real one.
 *
 * @param after seconds without traffic
 * @param how it kills
 * @param jitter how much later it may be, as a share
 * @param calls after how many calls the peer closes a connection for good
 * @param straying the share of connections that end for no reason, within 10 s
 * @param closesAllAt when the peer closes every connection
 */
record HiddenKill(double after, KillKind how, double jitter, int calls, double straying, double closesAllAt) {
    static HiddenKill of(double after, KillKind how) {
        return new HiddenKill(after, how, 0, Integer.MAX_VALUE, 0, Double.POSITIVE_INFINITY);
    }

    private static final double LOOK = 0.25;
    private static final double ROUND_TRIP = 0.005;

    private static final class Connection {
        double wakeAt;
        double diesAt;
        boolean told;
        KillKind how = KillKind.FIN;
        int used;
        IdleSearch.@Nullable Trial trial;
    }

    IdleFinding search(double whole, double patience, int connections, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        IdleSearch search = IdleSearch.within(whole, patience, connections);
        PriorityQueue<Connection> queue = new PriorityQueue<>(Comparator.comparingDouble(c -> c.wakeAt));
        for (int i = 0; i < connections; i++) {
            Connection connection = new Connection();
            open(connection, 0.001 * i, random, search);
            queue.add(connection);
        }
        while (!queue.isEmpty()) {
            Connection connection = queue.poll();
            if (go(connection, connection.wakeAt, search, patience, random)) {
                queue.add(connection);
            }
        }
        return search.finding();
    }

    private void open(Connection connection, double now, SplittableRandom random, IdleSearch search) {
        search.opened();
        connection.used = 0;
        connection.trial = null;
        called(connection, now + ROUND_TRIP, random);
    }

    private void called(Connection connection, double now, SplittableRandom random) {
        connection.wakeAt = now;
        connection.used++;
        connection.how = how;
        connection.told = how != KillKind.SILENT;
        connection.diesAt = now + after * (1 + jitter * random.nextDouble());
        boolean strays = random.nextDouble() < straying;
        double other = connection.used >= calls ? now : strays ? now + 10 * random.nextDouble() : closesAllAt;
        if (other >= now && other < connection.diesAt) {
            connection.diesAt = other;
            connection.how = KillKind.FIN;
            connection.told = true;
        }
    }

    private boolean go(Connection connection, double now, IdleSearch search, double patience, SplittableRandom random) {
        IdleSearch.Trial trial = connection.trial;
        if (trial == null) {
            Optional<IdleSearch.Trial> begun = search.begin(now);
            connection.trial = begun.orElse(null);
            connection.wakeAt = now;
            return begun.isPresent();
        }
        if (connection.told && connection.diesAt <= now) {
            search.died(trial, now, connection.how, true);
            open(connection, now + 0.2, random, search);
            return true;
        }
        if (search.isWanted(trial, now) && now < trial.began() + trial.age()) {
            double next = Math.min(now + LOOK, trial.began() + trial.age());
            connection.wakeAt = connection.told && connection.diesAt > now ? Math.min(next, connection.diesAt) : next;
            return true;
        }
        if (search.isSuperfluous(trial, now)) {
            search.abandoned(trial);
            return false;
        }
        connection.trial = null;
        if (connection.diesAt <= now) {
            search.died(trial, now, connection.how, false);
            if (!search.hasCapacity(now)) {
                return false;
            }
            open(connection, now + patience, random, search);
        } else {
            search.lived(trial, now);
            called(connection, now + ROUND_TRIP, random);
        }
        return true;
    }
}
