package dev.penstock.races.overload;

import com.alibaba.csp.sentinel.AsyncEntry;
import com.alibaba.csp.sentinel.EntryType;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import dev.penstock.Rejected;
import dev.penstock.Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/**
 * Sentinel's flow rule that counts calls in progress, entered asynchronously, so that one thread enters and another leaves. Its
 * adaptive rule does not race: it goes by the load average of the last minute, and a block takes 15 s. Sentinel writes logs
 * into the user's home unless told; they go to a folder that this JVM takes away, and what it would write each second is off.
 */
final class SentinelGate implements Gate {
    private static final int MOST = 100;
    private static final String RESOURCE = "overload";

    private final Service<Long, Long> stage;

    private SentinelGate(Service<Long, Long> stage) {
        this.stage = stage;
    }

    static Doorway around(Service<Long, Long> stage) {
        quiet();
        FlowRule rule = new FlowRule(RESOURCE);
        rule.setGrade(RuleConstant.FLOW_GRADE_THREAD).setCount(MOST);
        FlowRuleManager.loadRules(List.of(rule));
        return new VirtualThreads(new SentinelGate(stage), () -> OptionalInt.of(MOST));
    }

    /** Read by Sentinel when its classes are initialized. */
    private static void quiet() {
        try {
            Path logs = Files.createTempDirectory("sentinel");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(logs)));
            System.setProperty("csp.sentinel.log.dir", logs.toString());
            System.setProperty("csp.sentinel.metric.flush.interval", "0");
        } catch (IOException e) {
            throw new UncheckedIOException("no folder for Sentinel's logs could be made: " + e.getMessage(), e);
        }
    }

    private static void delete(Path folder) {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            // It stays in the system's folder for temporary files.
        }
    }

    @Override
    public Service<Long, Long> enter() throws Rejected {
        AsyncEntry entry;
        try {
            entry = SphU.asyncEntry(RESOURCE, EntryType.IN);
        } catch (BlockException e) {
            throw new Rejected(Rejected.Cause.LIMIT, "the flow rule lets no more in");
        }
        return request -> {
            try {
                return stage.call(request);
            } finally {
                entry.exit();
            }
        };
    }
}
