package dev.penstock.races.collapse;

import dev.penstock.races.collapse.CollapseContestants.BatchingClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Collects requests for a fixed time from the first one, then sends them in one call. Thread-safe. */
final class FixedWindow implements BatchingClient {
    private static final int MILLIS = 10;

    private record Waiting(long item, CompletableFuture<Long> answer) {}

    private final SimulatedApi api;
    private @Nullable List<Waiting> open;

    FixedWindow(SimulatedApi api) {
        this.api = api;
    }

    @Override
    public Long call(Long item) throws Exception {
        Waiting waiting = new Waiting(item, new CompletableFuture<>());
        join(waiting);
        try {
            return waiting.answer().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private synchronized void join(Waiting waiting) {
        List<Waiting> batch = open;
        if (batch == null) {
            List<Waiting> opened = new ArrayList<>();
            opened.add(waiting);
            open = opened;
            Thread.startVirtualThread(() -> sendLater(opened));
        } else {
            batch.add(waiting);
            open = batch.size() == CollapseContestants.MAX_IN_A_BATCH ? null : batch;
        }
    }

    private void sendLater(List<Waiting> batch) {
        try {
            Thread.sleep(MILLIS);
            seal(batch);
            List<Long> answers = api.ask(batch.stream().map(Waiting::item).toList());
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).answer().complete(answers.get(i));
            }
        } catch (InterruptedException | RuntimeException e) {
            batch.forEach(waiting -> waiting.answer().completeExceptionally(e));
        }
    }

    @SuppressWarnings("ReferenceEquality") // identity, not equal requests
    private synchronized void seal(List<Waiting> batch) {
        if (open == batch) {
            open = null;
        }
    }

    @Override
    public void close() {}
}
