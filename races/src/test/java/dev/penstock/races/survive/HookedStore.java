package dev.penstock.races.survive;

import dev.penstock.IdempotencyStore;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.races.survive.Hooks.Hook;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An idempotency store whose methods are hooks. For half of the schedules, the error is thrown before the operation;
 * for the others, after it.
 */
record HookedStore(IdempotencyStore store, Hooks hooks, boolean after) implements IdempotencyStore {
    private interface Work<T extends @Nullable Object> {
        T run() throws Exception;
    }

    private <T extends @Nullable Object> T at(Hook hook, Work<T> work) throws Exception {
        if (!after) {
            hooks.reached(hook);
        }
        T result = work.run();
        if (after) {
            hooks.reached(hook);
        }
        return result;
    }

    @Override
    public Claim claim(KeyRequest request) throws Exception {
        return at(Hook.STORE_CLAIM, () -> store.claim(request));
    }

    @Override
    public Claim takeOver(KeyRequest request, long before) throws Exception {
        return at(Hook.STORE_CLAIM, () -> store.takeOver(request, before));
    }

    @Override
    public boolean end(String key, long owner, byte[] ending, Duration keep) throws Exception {
        return at(Hook.STORE_END, () -> store.end(key, owner, ending, keep));
    }

    @Override
    public void release(String key, long owner) throws Exception {
        boolean _ = at(Hook.STORE_RELEASE, () -> {
            store.release(key, owner);
            return true;
        });
    }

    @Override
    public @Nullable Claim find(String key) throws Exception {
        return this.<@Nullable Claim>at(Hook.STORE_FIND, () -> store.find(key));
    }

    @Override
    public String where() {
        return store.where();
    }

    @Override
    public void close() {
        store.close();
    }
}
