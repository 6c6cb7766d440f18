package dev.penstock.meter;

import dev.penstock.Observation;
import dev.penstock.Observation.Observer;
import dev.penstock.Unanswered;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An observer whose exceptions do not affect transactions. Thread-safe. */
public final class SafeObserver implements Observer {
    private static final Logger LOG = LoggerFactory.getLogger(SafeObserver.class);

    private final Observer given;
    private final AtomicBoolean hasThrown = new AtomicBoolean();

    /** @param given the observer of a user */
    public SafeObserver(Observer given) {
        this.given = given;
    }

    @Override
    public @Nullable Observation begin(String flow, @Nullable Object request, long now) {
        return get(() -> safe(given.begin(flow, request, now)));
    }

    private @Nullable Observation safe(@Nullable Observation observation) {
        return observation == null ? null : new Safe(observation, this);
    }

    private void run(Runnable call) {
        Object _ = get(() -> {
            call.run();
            return null;
        });
    }

    /** Null also if it throws. */
    private <T> @Nullable T get(Supplier<@Nullable T> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error broken) {
            if (hasThrown.compareAndSet(false, true)) {
                Meter.warn(LOG, "the observer of a flow threw " + broken + "; further exceptions are not logged");
            }
            return null;
        }
    }

    private record Safe(Observation given, SafeObserver observer) implements Observation {
        @Override
        public @Nullable String traceId() {
            return observer.get(given::traceId);
        }

        @Override
        public void waited(Wait what, long nanos) {
            observer.run(() -> given.waited(what, nanos));
        }

        @Override
        public void attempt(long now) {
            observer.run(() -> given.attempt(now));
        }

        @Override
        public void attempted(@Nullable Object answer, @Nullable Throwable thrown, long now) {
            observer.run(() -> given.attempted(answer, thrown, now));
        }

        @Override
        public void exchanged(Exchange exchange) {
            observer.run(() -> given.exchanged(exchange));
        }

        @Override
        public boolean readsAttributes() {
            return Boolean.TRUE.equals(observer.get(given::readsAttributes));
        }

        @Override
        public void attribute(String name, Object value) {
            observer.run(() -> given.attribute(name, value));
        }

        @Override
        public void propagate(BiConsumer<String, String> fields) {
            observer.run(() -> given.propagate(fields));
        }

        @Override
        public void propagate(int index, int size, BiConsumer<String, String> fields) {
            observer.run(() -> given.propagate(index, size, fields));
        }

        @Override
        public @Nullable Observation batch(List<Observation> all, int size, long now) {
            return observer.get(() -> observer.safe(
                    given.batch(all.stream().map(each -> ((Safe) each).given).toList(), size, now)));
        }

        @Override
        public void ended(@Nullable Object answer, @Nullable Unanswered ending, long now) {
            observer.run(() -> given.ended(answer, ending, now));
        }
    }
}
