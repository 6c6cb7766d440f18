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
import dev.penstock.jdbc.kit.Folders;
import dev.penstock.races.overload.VirtualThreads.Gate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/**
 * Sentinel's flow rule on concurrent calls, entered asynchronously, because different threads enter and exit. Its
 * adaptive rule is not included: it uses the load average of the last minute, and a block takes 15 s.
 */
final class SentinelGate implements Gate {
    private static final int MAX_THREADS = 100;
    private static final String RESOURCE = "overload";

    private final Service<Long, Long> stage;

    private SentinelGate(Service<Long, Long> stage) {
        this.stage = stage;
    }

    static LimitedStage around(Service<Long, Long> stage) {
        SentinelLogs logs = SentinelLogs.inThisJvm();
        FlowRule rule = new FlowRule(RESOURCE);
        rule.setGrade(RuleConstant.FLOW_GRADE_THREAD).setCount(MAX_THREADS);
        FlowRuleManager.loadRules(List.of(rule));
        return new VirtualThreads(new SentinelGate(stage), () -> OptionalInt.of(MAX_THREADS), logs::delete);
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

    /**
     * The log directory of Sentinel: a temporary directory of this JVM. By default Sentinel writes to the user's home
     * directory, and logging cannot be switched off. The metrics that it would write every second for its dashboard are
     * off. Thread-safe.
     *
     * @param folder a temporary directory
     */
    private record SentinelLogs(Path folder) {
        private static final SentinelLogs INSTANCE = create();

        /** Configures Sentinel; must be called before any of its classes is initialized. */
        static SentinelLogs inThisJvm() {
            return INSTANCE;
        }

        private static SentinelLogs create() {
            try {
                SentinelLogs logs = new SentinelLogs(Files.createTempDirectory("penstock-race-sentinel"));
                System.setProperty("csp.sentinel.log.dir", logs.folder.toString());
                System.setProperty("JM.LOG.PATH", logs.folder.toString());
                System.setProperty("csp.sentinel.metric.flush.interval", "0");
                Runtime.getRuntime().addShutdownHook(new Thread(logs::delete));
                return logs;
            } catch (IOException e) {
                throw new UncheckedIOException("cannot create a directory for Sentinel's logs: " + e.getMessage(), e);
            }
        }

        /** Deletes the directory; what is written later is deleted when this JVM ends. */
        void delete() {
            try {
                Folders.delete(folder);
            } catch (IOException | UncheckedIOException e) {
                // Already deleted, or it stays among the temporary files.
            }
        }
    }
}
