package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RoomTest {
    @Test
    void followsWhatTheFlowCarriesAndAnEighthMore() {
        AtomicInteger capacity = new AtomicInteger(80);
        Room room = new Room(0, capacity::get);
        assertThat(room.left()).isEqualTo(90);
        take(room, 90);
        assertThat(room.left()).isZero();
        capacity.set(160);
        assertThat(room.left()).isEqualTo(90);
        capacity.set(0);
        assertThat(room.left()).isZero();
        assertThat(room.setting().value()).isEqualTo("1");
    }

    @Test
    void aFlowWithoutALimitIsBoundedAllTheSame() {
        Room room = new Room(0, () -> Integer.MAX_VALUE);
        assertThat(room.left()).isEqualTo(Room.WITHOUT_LIMIT);
        assertThat(room.bound()).isEqualTo(Room.WITHOUT_LIMIT);
        assertThat(new Room(7, () -> Integer.MAX_VALUE).left()).isEqualTo(7);
    }

    @Test
    void whoWaitsForAnotherAttemptLeavesItsPlaceInTheFlowButStaysInHand() {
        Room room = new Room(10, () -> 4);
        take(room, 5);
        assertThat(room.left()).isZero();
        room.beginsToWait();
        room.beginsToWait();
        assertThat(room.left()).isEqualTo(2);
        take(room, 5);
        assertThat(room.left()).isZero();
    }

    @Property
    void neverMoreInHandThanTheBound(
            @ForAll @IntRange(min = 1, max = 50) int bound,
            @ForAll List<@IntRange(min = 0, max = 60) Integer> capacities) {
        AtomicInteger capacity = new AtomicInteger();
        Room room = new Room(bound, capacity::get);
        for (int now : capacities) {
            capacity.set(now);
            while (room.tryKeep()) {
                if (now % 3 == 0) {
                    room.keepNoLonger();
                    break;
                }
                room.takeKept();
            }
            assertThat(room.inHand()).isLessThanOrEqualTo(bound);
            if (now % 2 == 0 && room.inHand() > 0) {
                room.giveBack();
            }
        }
        assertThat(room.mostInHand()).isLessThanOrEqualTo(bound);
    }

    private static void take(Room room, int count) {
        for (int n = 0; n < count; n++) {
            room.take();
        }
    }
}
