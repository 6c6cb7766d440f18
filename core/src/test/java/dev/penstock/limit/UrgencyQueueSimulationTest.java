package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The line in virtual time, in front of a target of fixed capacity: what the short line of standing overload costs. */
class UrgencyQueueSimulationTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000 * MS;

    /** What came of some seconds, as a share of what the target can do. */
    private record Result(double goodput, List<Long> waits) {
        long wait(double quantile) {
            return waits.get((int) (quantile * (waits.size() - 1)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        // permits, time of a call (ms), deadline (ms), load, longest wait of nine in ten (ms)
        "200, 400, 1000, 1.1, 250",
        "200, 400, 1000, 3, 150",
        "200, 400, 1000, 10, 150",
        "100, 20, 1000, 3, 150",
        "10, 1000, 5000, 3, 1500",
        "2, 50, 1000, 3, 400",
        "1, 5, 1000, 10, 150",
    })
    void standingOverloadIsAnsweredInFullAndSoon(int permits, long call, long deadline, double load, long most) {
        Result result = run(permits, call * MS, deadline * MS, load, 20);
        assertThat(result.goodput()).isGreaterThan(0.96);
        assertThat(result.wait(0.9)).isLessThan(most * MS);
    }

    @ParameterizedTest
    @CsvSource({"200, 400, 1000", "100, 20, 1000", "10, 1000, 5000"})
    void calmLosesNothing(int permits, long call, long deadline) {
        Result result = run(permits, call * MS, deadline * MS, 0.8, 20);
        assertThat(result.goodput() / 0.8).isBetween(0.97, 1.05);
    }

    private Result run(int permits, long call, long deadline, double load, int seconds) {
        Random random = new Random(permits + call);
        QueuePolicy rules = new QueuePolicy(QueueSettings.automatic(), call, call, permits);
        UrgencyQueue<Guest> line = new UrgencyQueue<>();
        PriorityQueue<Long> ends = new PriorityQueue<>(Comparator.naturalOrder());
        List<Long> waits = new ArrayList<>();
        double capacity = (double) permits / call;
        // The first seconds fill the line, find the overload, and serve what waits then.
        long from = 2 * SECOND + 4 * call;
        long until = from + seconds * SECOND;
        long answered = 0;
        long arrival = 0;
        while (arrival < until) {
            if (!ends.isEmpty() && ends.peek() <= arrival) {
                long now = ends.poll();
                Guest next = line.next(now, rules, dropped -> {});
                if (next != null) {
                    long end = now + time(call, random);
                    ends.add(end);
                    if (now > from && end - next.arrival <= deadline) {
                        answered++;
                        waits.add(now - next.arrival);
                    }
                }
                continue;
            }
            Guest guest = new Guest(arrival, deadline);
            if (ends.size() < permits) {
                long end = arrival + time(call, random);
                ends.add(end);
                if (arrival > from && end - arrival <= deadline) {
                    answered++;
                    waits.add(0L);
                }
            } else {
                line.offer(guest, permits, rules, shed -> {});
            }
            arrival += (long) Math.max(1, -Math.log(1 - random.nextDouble()) / (capacity * load));
        }
        waits.sort(Comparator.naturalOrder());
        return new Result(answered / (capacity * (until - from)), waits);
    }

    /** Half of it is fixed, the rest is spread. */
    private static long time(long mean, Random random) {
        return mean / 2 + (long) (mean * random.nextDouble());
    }

    private static final class Guest extends UrgencyQueue.Entry {
        Guest(long arrival, long allowed) {
            super(arrival, allowed, 3);
        }
    }
}
