package dev.penstock.http.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.ModelCheck;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No place is lost or doubled, whoever comes and goes while their number changes. */
class ResizableSemaphoreTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int START = 64;

    private static void enterAll(ResizableSemaphore places, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            assertThat(places.tryAcquire(0)).isTrue();
        }
    }

    @Test
    void aGivenNumberIsTheMost() throws Exception {
        ResizableSemaphore places = new ResizableSemaphore(PoolSize.pinned(2), 0);
        enterAll(places, 2);
        assertThat(places.tryAcquire(0)).isFalse();
        places.release();
        assertThat(places.inUse()).isEqualTo(1);
        assertThat(places.tryAcquire(0)).isTrue();
        assertThat(places.max()).isEqualTo(2);
        assertThat(places.reason()).isEqualTo("given");
    }

    @Test
    void anAutomaticNumberGrowsBeforeSomebodyHasToWait() throws Exception {
        ResizableSemaphore places = new ResizableSemaphore(PoolSize.automatic(), 0);
        enterAll(places, START + 1);
        assertThat(places.max()).isEqualTo(START + 1 + PoolSize.HEADROOM);
        assertThat(places.inUse()).isEqualTo(START + 1);
        assertThat(places.waiting()).isZero();
    }

    @Test
    void placesThatAreTakenWhenItFallsAreGoneWhenTheyComeFree() throws Exception {
        ResizableSemaphore places = new ResizableSemaphore(PoolSize.automatic(), 0);
        places.adapt(PoolSize.WINDOW, 2_000, 2_000 * SECOND);
        assertThat(places.max()).isEqualTo(432);
        enterAll(places, 30);
        for (int i = 0; i < 7; i++) {
            places.adapt(PoolSize.WINDOW, 0, 0);
        }
        assertThat(places.max()).isEqualTo(START);
        assertThat(places.inUse()).isEqualTo(30);
        enterAll(places, START - 30);
        for (int i = 0; i < START; i++) {
            places.release();
        }
        assertThat(places.inUse()).isZero();
    }

    @Test
    void anInterruptedOneGetsNone() throws Exception {
        ResizableSemaphore places = new ResizableSemaphore(PoolSize.pinned(1), 0);
        enterAll(places, 1);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> places.tryAcquire(60 * SECOND)).isInstanceOf(InterruptedException.class);
        places.release();
        assertThat(places.tryAcquire(0)).isTrue();
        assertThat(places.inUse()).isEqualTo(1);
    }

    /** A given number of places, model-checked against every interleaving in reach. */
    public static class Given {
        private final ResizableSemaphore places = new ResizableSemaphore(PoolSize.pinned(2), 0);

        @Operation
        public boolean enter() throws InterruptedException {
            return places.tryAcquire(0);
        }

        @Operation
        public void leave() {
            places.release();
        }

        @Operation
        public int inUse() {
            return places.inUse();
        }
    }

    /** What two places do when one thread at a time uses them. */
    public static class Two {
        private int out;

        public boolean enter() {
            if (out >= 2) {
                return false;
            }
            out++;
            return true;
        }

        public void leave() {
            out--;
        }

        public int inUse() {
            return Math.max(0, out);
        }
    }

    /** Nearly all are taken; who finds none raises their number, and windows lower it again. */
    public static class Moving {
        private final ResizableSemaphore places = new ResizableSemaphore(PoolSize.automatic(), 0);

        public Moving() throws InterruptedException {
            enterAll(places, START - 1);
        }

        @Operation
        public boolean enter() throws InterruptedException {
            return places.tryAcquire(0);
        }

        @Operation
        public void leave() {
            places.release();
        }

        @Operation
        public void busyWindow() {
            places.adapt(PoolSize.WINDOW, 2_000, 2_000 * SECOND);
        }

        @Operation
        public void quietWindow() {
            places.adapt(PoolSize.WINDOW, 0, 0);
        }

        @Operation
        public int inUse() {
            return places.inUse();
        }
    }

    /** Somebody always gets a place, and what is in use is who has come and not gone. */
    public static class Counted {
        private int inUse = START - 1;

        public boolean enter() {
            inUse++;
            return true;
        }

        public void leave() {
            inUse--;
        }

        public void busyWindow() {}

        public void quietWindow() {}

        public int inUse() {
            return inUse;
        }
    }

    @Test
    @Tag("full")
    @Tag("full-only")
    void aGivenNumberIsLinearizable() {
        ModelCheck.options()
                .iterations(8)
                .invocationsPerIteration(400)
                .threads(2)
                .actorsPerThread(3)
                .sequentialSpecification(Two.class)
                .check(Given.class);
    }

    @Test
    @Tag("full")
    @Tag("full-only")
    void aMovingNumberIsLinearizable() {
        ModelCheck.options()
                .iterations(8)
                .invocationsPerIteration(400)
                .threads(2)
                .actorsPerThread(3)
                .sequentialSpecification(Counted.class)
                .check(Moving.class);
    }
}
