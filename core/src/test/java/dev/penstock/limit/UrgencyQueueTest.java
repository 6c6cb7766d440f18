package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Rejected.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class UrgencyQueueTest {
    private static final long MS = 1_000_000;
    /** A call takes 100 ms, an answer is worth waiting for until 130 ms are left. */
    private static final QueuePolicy RULES =
            new QueuePolicy(QueueSettings.automatic().withTime(Duration.ofMillis(200)), 100 * MS, 100 * MS, 10);

    private final UrgencyQueue<Guest> line = new UrgencyQueue<>();
    private final List<Guest> gone = new ArrayList<>();

    @Test
    void servesFirstComeFirstServed() {
        Guest first = in(guest(0, 3));
        Guest second = in(guest(1, 3));
        assertThat(line.size()).isEqualTo(2);
        assertThat(line.next(2, RULES, gone::add)).isSameAs(first);
        assertThat(line.next(2, RULES, gone::add)).isSameAs(second);
        assertThat(line.next(2, RULES, gone::add)).isNull();
        assertThat(line.size()).isZero();
    }

    @Test
    void servesTheMoreUrgentFirst() {
        Guest calm = in(guest(0, 7));
        Guest usual = in(guest(1, 3));
        Guest urgent = in(guest(2, 0));
        assertThat(line.next(3, RULES, gone::add)).isSameAs(urgent);
        assertThat(line.next(3, RULES, gone::add)).isSameAs(usual);
        assertThat(line.next(3, RULES, gone::add)).isSameAs(calm);
    }

    @Test
    void callersTakeTurns() {
        Guest first = in(guest(0, 3, "many"));
        Guest second = in(guest(1, 3, "many"));
        Guest third = in(guest(2, 3, "many"));
        Guest other = in(guest(3, 3, "few"));
        assertThat(line.next(4, RULES, gone::add)).isSameAs(first);
        assertThat(line.next(4, RULES, gone::add)).isSameAs(other);
        assertThat(line.next(4, RULES, gone::add)).isSameAs(second);
        assertThat(line.next(4, RULES, gone::add)).isSameAs(third);
        assertThat(line.size()).isZero();
    }

    @Test
    void aFullQueueTakesOneOfAnotherCallerInPlaceOfTheLastOfWhoHasMost() {
        QueuePolicy two = RULES.with(
                QueueSettings.automatic().withTime(Duration.ofMillis(200)).withLength(2));
        Guest first = guest(0, 3, "many");
        Guest second = guest(0, 3, "many");
        Guest other = guest(0, 3, "few");
        for (Guest each : List.of(first, second, other)) {
            assertThat(line.offer(each, 10, two, gone::add)).isNull();
        }
        assertThat(gone).containsExactly(second);
        assertThat(line.offer(guest(0, 3, "many"), 10, two, gone::add)).isEqualTo(Cause.LIMIT);
        assertThat(line.offer(guest(0, 3, "third"), 10, two, gone::add)).isEqualTo(Cause.LIMIT);
        assertThat(line.size()).isEqualTo(2);
    }

    /** As after a pause of the process: the requests of 150 ms come at once. */
    @Test
    void fourAtOnceOfEachOtherCallerFindPlacesBesideOneThatFillsTheQueue() {
        QueuePolicy policy = new QueuePolicy(QueueSettings.automatic(), 100 * MS, 100 * MS, 40);
        while (line.offer(guest(0, 3, "many"), 40, policy, gone::add) == null) {
            assertThat(line.size()).isLessThanOrEqualTo(400);
        }
        long later = 300 * MS;
        assertThat(line.state().isStanding(later, policy)).isTrue();
        assertThat(line.offer(guest(later, 3, "many"), 40, policy, gone::add)).isEqualTo(Cause.LIMIT);
        for (int round = 0; round < 4; round++) {
            for (int caller = 0; caller < 9; caller++) {
                assertThat(line.offer(guest(later, 3, "few" + caller), 40, policy, gone::add))
                        .isNull();
            }
        }
        assertThat(gone).hasSize(36).allMatch(shed -> shed.caller.equals("many"));
        assertThat(line.offer(guest(later, 3, "few0"), 40, policy, gone::add)).isEqualTo(Cause.LIMIT);
    }

    @Test
    void whoHasLeftIsNotServed() {
        Guest first = in(guest(0, 3));
        Guest second = in(guest(1, 3));
        assertThat(line.remove(first)).isTrue();
        assertThat(line.remove(first)).isFalse();
        assertThat(line.next(2, RULES, gone::add)).isSameAs(second);
    }

    @Test
    void whoCannotMakeItAnyMoreIsPassedOver() {
        Guest hurried = in(guest(0, 200 * MS, 3));
        Guest patient = in(guest(0, 900 * MS, 3));
        assertThat(line.next(100 * MS, RULES, gone::add)).isSameAs(patient);
        assertThat(gone).containsExactly(hurried);
    }

    @Test
    void whoStillCanMakeItIsServed() {
        Guest hurried = in(guest(0, 200 * MS, 3));
        assertThat(line.next(70 * MS, RULES, gone::add)).isSameAs(hurried);
        assertThat(gone).isEmpty();
    }

    @Test
    void callsThatHaveBecomeSlowerSendThoseAwayWhoCannotMakeItNow() {
        Guest hurried = in(guest(0, 200 * MS, 3));
        Guest patient = in(guest(0, 900 * MS, 3));
        line.prune(10 * MS, RULES, gone::add);
        assertThat(gone).isEmpty();
        QueuePolicy slower = new QueuePolicy(QueueSettings.automatic(), 300 * MS, 300 * MS, 10);
        line.prune(10 * MS, slower, gone::add);
        assertThat(gone).containsExactly(hurried);
        assertThat(line.next(10 * MS, slower, gone::add)).isSameAs(patient);
    }

    @Test
    void pruningLooksNoFurtherThanTheFirstThatMayWait() {
        QueuePolicy patient = new QueuePolicy(
                QueueSettings.automatic().withTime(Duration.ofSeconds(5)).withLength(10_000), 100 * MS, 100 * MS, 10);
        int waiting = 10_000;
        for (int i = 0; i < waiting; i++) {
            assertThat(line.offer(guest(i, 3), 1_000, patient, gone::add)).isNull();
        }
        int before = Guest.asked;
        line.prune(5_000 * MS + 4, patient, gone::add);
        assertThat(gone).hasSize(5);
        assertThat(Guest.asked - before).as("those that are due, and one more").isEqualTo(6);
        assertThat(line.size()).isEqualTo(waiting - 5);
    }

    @Test
    void aFullLineTakesNobodyAsUrgentAsThoseInIt() {
        for (int i = 0; i < 20; i++) {
            in(guest(0, 3));
        }
        assertThat(line.offer(guest(1, 3), 10, RULES, gone::add)).isEqualTo(Cause.LIMIT);
        assertThat(line.offer(guest(1, 7), 10, RULES, gone::add)).isEqualTo(Cause.LIMIT);
        assertThat(gone).isEmpty();
    }

    @Test
    void aFullLineShedsTheLastOfTheLeastUrgentForAMoreUrgentOne() {
        for (int i = 0; i < 19; i++) {
            in(guest(i, 3));
        }
        Guest last = in(guest(19, 3));
        Guest urgent = in(guest(20, 2));
        assertThat(gone).containsExactly(last);
        assertThat(line.size()).isEqualTo(20);
        assertThat(line.next(21, RULES, gone::add)).isSameAs(urgent);
    }

    @Test
    void standingOverloadShortensTheLineAndEmptinessEndsIt() {
        for (int i = 0; i < 20; i++) {
            in(guest(0, 900 * MS, 3));
        }
        assertThat(line.state().isStanding(199 * MS, RULES)).isFalse();
        assertThat(line.state().isStanding(200 * MS, RULES)).isTrue();
        // In calm 60 may wait for 10 permits by that deadline, now 12.
        assertThat(line.offer(guest(200 * MS, 900 * MS, 3), 10, RULES, gone::add))
                .isEqualTo(Cause.LIMIT);
        while (line.size() > 11) {
            line.next(200 * MS, RULES, gone::add);
        }
        assertThat(line.offer(guest(200 * MS, 900 * MS, 3), 10, RULES, gone::add))
                .isNull();
        while (line.size() > 0) {
            line.next(201 * MS, RULES, gone::add);
        }
        in(guest(202 * MS, 3));
        assertThat(line.state().isStanding(202 * MS, RULES))
                .as("empty for a moment only")
                .isTrue();
        line.next(203 * MS, RULES, gone::add);
        in(guest(403 * MS, 3));
        assertThat(line.state().isStanding(403 * MS, RULES))
                .as("empty for as long as it takes to stand")
                .isFalse();
    }

    @Test
    void timesMayRunOver() {
        long late = Long.MAX_VALUE - 10;
        Guest before = in(guest(late, 900 * MS, 3));
        assertThat(before.dueAt(RULES) - late).isEqualTo(200 * MS);
        assertThat(line.state().isStanding(late + 200 * MS, RULES)).isTrue();
        assertThat(line.next(late + 200 * MS, RULES, gone::add)).isSameAs(before);
    }

    /** Whatever happens: each guest leaves by exactly one door, bounds hold, and the order is by urgency, then arrival. */
    @Property
    void nobodyIsLostAndBoundsHold(
            @ForAll("steps") @Size(max = 200) List<Step> steps, @ForAll @IntRange(min = 1, max = 12) int permits) {
        UrgencyQueue<Guest> tried = new UrgencyQueue<>();
        List<Guest> model = new ArrayList<>();
        long now = 0;
        for (Step step : steps) {
            now += step.after() * MS;
            QueuePolicy rules =
                    step.slow() ? new QueuePolicy(QueueSettings.automatic(), 150 * MS, 200 * MS, 10) : RULES;
            Set<Guest> out = new HashSet<>();
            switch (step.kind()) {
                case OFFER -> {
                    Guest guest = guest(now, step.allowed() * MS, step.urgency());
                    if (tried.offer(guest, permits, rules, out::add) == null) {
                        model.add(guest);
                        assertThat(out).allMatch(shed -> shed.urgency > guest.urgency);
                        assertThat(out).hasSizeLessThan(2);
                        assertThat(guest.dueAt(rules) - now).isNotNegative();
                    } else {
                        assertThat(out).isEmpty();
                    }
                    assertThat(model).containsAll(out);
                    model.removeAll(out);
                }
                case NEXT -> {
                    Guest served = tried.next(now, rules, out::add);
                    long time = now;
                    assertThat(out).noneMatch(dropped -> left(dropped, time) >= 130 * MS && !step.slow());
                    model.removeAll(out);
                    model.sort(Comparator.comparingInt(guest -> guest.urgency));
                    assertThat(served).isSameAs(model.isEmpty() ? null : model.getFirst());
                    if (served != null) {
                        assertThat(left(served, now)).isGreaterThanOrEqualTo(rules.neededNanos());
                        model.remove(served);
                    }
                }
                case LEAVE -> {
                    if (!model.isEmpty()) {
                        assertThat(tried.remove(model.remove(step.after() % model.size())))
                                .isTrue();
                    }
                }
                case PRUNE -> {
                    tried.prune(now, rules, out::add);
                    long time = now;
                    assertThat(out).allMatch(late -> late.dueAt(rules) - time <= 0);
                    model.removeAll(out);
                    IntStream.range(0, 8)
                            .mapToObj(urgency -> model.stream()
                                    .filter(stays -> stays.urgency == urgency)
                                    .findFirst())
                            .flatMap(Optional::stream)
                            .forEach(first ->
                                    assertThat(first.dueAt(rules) - time).isPositive());
                }
            }
            assertThat(tried.size()).isEqualTo(model.size()).isLessThanOrEqualTo(QueuePolicy.LONGEST);
        }
    }

    enum Kind {
        OFFER,
        NEXT,
        LEAVE,
        PRUNE
    }

    record Step(Kind kind, int after, long allowed, int urgency, boolean slow) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Kind> kinds =
                Arbitraries.of(Kind.OFFER, Kind.OFFER, Kind.OFFER, Kind.OFFER, Kind.NEXT, Kind.LEAVE, Kind.PRUNE);
        Arbitrary<Long> allowed = Arbitraries.oneOf(
                Arbitraries.longs().between(0, 1_000), Arbitraries.just(QueuePolicy.NO_DEADLINE / MS + 1));
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(0, 30),
                        allowed,
                        Arbitraries.integers().between(0, 7),
                        Arbitraries.of(false, false, false, true))
                .as(Step::new)
                .list();
    }

    private static long left(Guest guest, long now) {
        return guest.allowed - (now - guest.arrival);
    }

    private Guest in(Guest guest) {
        assertThat(line.offer(guest, 10, RULES, gone::add)).isNull();
        return guest;
    }

    private static Guest guest(long arrival, int urgency) {
        return guest(arrival, QueuePolicy.NO_DEADLINE, urgency);
    }

    private static Guest guest(long arrival, long allowed, int urgency) {
        return new Guest(arrival, allowed, urgency, UrgencyQueue.ONE_CALLER);
    }

    private static Guest guest(long arrival, int urgency, String caller) {
        return new Guest(arrival, QueuePolicy.NO_DEADLINE, urgency, caller);
    }

    private static final class Guest extends UrgencyQueue.Entry {
        /** How often the queue has asked when one is due. */
        private static int asked;

        Guest(long arrival, long allowed, int urgency, Object caller) {
            super(arrival, allowed, urgency, caller);
        }

        @Override
        long dueAt(QueuePolicy policy) {
            asked++;
            return super.dueAt(policy);
        }

        @Override
        public String toString() {
            return "u" + urgency + "@" + arrival / MS + "+" + allowed / MS;
        }
    }
}
