package dev.penstock.fleet;

import dev.penstock.fleet.FleetMember.Decision;
import dev.penstock.fleet.FleetShare.Demand;
import dev.penstock.fleet.FleetStore.Claim;
import dev.penstock.kit.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Gateways of one fleet in virtual time, with clocks of their own, a store and a target that answers after exponential times. */
final class FleetWorld {
    private static final long STORE_NANOS = World.MILLI;
    private static final double CALL_NANOS = 200e6;

    private record Row(Claim claim, long until) {}

    final World world = new World();
    final List<Gateway> gateways = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private final SplittableRandom random;
    private final long total;
    private final long safe;
    private long storeFree;
    private int inFlight;
    private int most;
    private double area;
    private long since;

    FleetWorld(int members, long total, long safe, long seed) {
        this.random = new SplittableRandom(seed);
        this.total = total;
        this.safe = safe;
        for (int i = 0; i < members; i++) {
            start();
        }
    }

    /** One more gateway. */
    Gateway start() {
        Gateway gateway = new Gateway("g%03d".formatted(gateways.size()));
        gateways.add(gateway);
        gateway.meet();
        return gateway;
    }

    /** Lets one reach the store again at some moment. */
    void comeBack(Gateway gateway, int withinSeconds) {
        world.in(random.nextLong(withinSeconds * World.SECOND), () -> gateway.cutOff = false);
    }

    void run(long seconds) {
        world.runUntil(world.now() + seconds * World.SECOND);
    }

    /** Forgets what was counted. */
    void count() {
        move(0);
        most = inFlight;
        area = 0;
    }

    /** The most calls that were in flight at the target at any moment. */
    int most() {
        return most;
    }

    /** The mean number of calls in flight, over so many seconds. */
    double mean(long seconds) {
        move(0);
        return area / seconds / World.SECOND;
    }

    private void move(int by) {
        area += (double) inFlight * (world.now() - since);
        since = world.now();
        inFlight += by;
        most = Math.max(most, inFlight);
    }

    private long exponential(double mean) {
        return Math.round(-mean * Math.log(1 - random.nextDouble()));
    }

    /** One gateway. Its clock is up to 30 s off, and up to a hundredth too fast or too slow. */
    final class Gateway {
        private final String name;
        private final long skew = random.nextLong(-30 * World.SECOND, 30 * World.SECOND);
        private final double speed = random.nextDouble(0.99, 1.01);
        private final FleetMember member;
        private long perSecond;
        private int out;
        private int waiting;
        private int wanted;
        private boolean arriving;
        private boolean pulls;
        private int callers;
        private int present;
        private double thinkNanos;
        boolean cutOff;
        boolean dead;

        private Gateway(String name) {
            this.name = name;
            this.member = new FleetMember(new Fleet("f", name, 1, (int) total, (int) safe, (int) total), clock());
        }

        private long clock() {
            return skew + Math.round(speed * world.now());
        }

        /** How many calls are in flight from here, where all could be. */
        int out() {
            return out;
        }

        long share() {
            return member.share(clock());
        }

        boolean hasLease() {
            return member.hasLease(clock());
        }

        void arrive(long rate) {
            perSecond = rate;
            if (!arriving && rate > 0) {
                arriving = true;
                world.in(exponential(1e9 / rate), this::arrival);
            }
        }

        private void arrival() {
            arriving = false;
            if (!dead) {
                // Who waits longer than for half a second goes.
                waiting = (int) Math.min(waiting + 1, 1 + perSecond / 2);
                begin();
                arrive(perSecond);
            }
        }

        /** A source with a backlog, or none: it fetches an eighth more than there are permits for. */
        void pull(boolean more) {
            pulls = more;
            begin();
        }

        /** So many callers, each of which calls again a while after its answer. */
        void callers(int count, double thinkMillis) {
            callers = count;
            thinkNanos = thinkMillis * World.MILLI;
            while (present < callers) {
                present++;
                think();
            }
        }

        private void think() {
            if (present > callers) {
                present--;
                return;
            }
            world.in(exponential(thinkNanos), () -> {
                waiting++;
                begin();
            });
        }

        private void begin() {
            waiting = pulls ? (int) Math.max(1, out / 8) + (int) Math.max(0, share() - out) : waiting;
            wanted = Math.max(wanted, out + waiting);
            while (waiting > 0 && out < Math.max(1, share())) {
                waiting--;
                out++;
                move(1);
                world.in(exponential(CALL_NANOS), () -> {
                    out--;
                    move(-1);
                    begin();
                    if (present > 0) {
                        think();
                    }
                });
            }
        }

        private Demand demand() {
            Demand demand = new Demand(wanted, waiting > 0);
            wanted = out + waiting;
            return demand;
        }

        /** Killed: its calls are still at the target. */
        void kill() {
            dead = true;
            waiting = 0;
            arrive(0);
        }

        private void meet() {
            if (dead) {
                return;
            }
            long asked = clock();
            long there = Math.max(world.now() + STORE_NANOS, storeFree);
            storeFree = there + STORE_NANOS;
            world.at(there, () -> {
                Demand demand = demand();
                if (cutOff || dead) {
                    again(FleetMember.INTERVAL.toNanos());
                    return;
                }
                rows.removeIf(
                        row -> row.until <= world.now() || row.claim.member().equals(name));
                List<Claim> others = rows.stream().map(Row::claim).toList();
                Decision decision = member.decide(demand, () -> out, others, clock());
                rows.add(new Row(decision.claim(), world.now() + FleetStore.LEASE.toNanos()));
                world.in(2 * STORE_NANOS, () -> {
                    if (!cutOff) { // or its answer is lost
                        member.granted(decision, asked);
                        begin();
                    }
                    again(decision.nextIn().toNanos());
                });
            });
        }

        private void again(long after) {
            begin();
            world.in(Math.round(after * random.nextDouble(0.9, 1.1)), this::meet);
        }
    }
}
