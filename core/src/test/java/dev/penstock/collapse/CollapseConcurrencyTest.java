package dev.penstock.collapse;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import dev.penstock.Answered;
import dev.penstock.kit.ModelCheck;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The hand-over from callers to a batch and back, model-checked against every interleaving in reach. */
@Tag("full")
@Tag("full-only")
class CollapseConcurrencyTest {
    private static final int MAX = 3;

    /** One item: its batch takes it and ends it, its caller gives up. */
    public static class OneItem {
        private final BatchItem<String, String> item = Pure.item("q", 10);

        @Operation
        public boolean take() {
            return item.markSent(0, Pure.UNKNOWN);
        }

        @Operation
        public void end() {
            item.end(new Answered<>("answered"));
        }

        @Operation
        public String giveUp() {
            return Pure.giveUp(item);
        }
    }

    /** What becomes of it when one thread at a time does something. */
    public static class OneEnding {
        private boolean sent;
        private String ending = "";

        public boolean take() {
            sent |= ending.isEmpty();
            return ending.isEmpty();
        }

        public void end() {
            ending = ending.isEmpty() ? "answered" : ending;
        }

        public String giveUp() {
            ending = !ending.isEmpty() ? ending : sent ? "unknown" : "rejected";
            return ending;
        }
    }

    /** Left out is what one thread alone looks at. */
    private static ModelCheckingOptions everyInterleaving() {
        return ModelCheck.options()
                .invocationsPerIteration(300)
                .threads(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .addGuarantee(forClasses("dev.penstock.collapse.CallTime")
                        .allMethods()
                        .ignore())
                .addGuarantee(
                        forClasses("dev.penstock.collapse.Pure").methods("item").ignore());
    }

    @Test
    void anItemEndsOnceAndIsNeverRejectedOnceItWasTaken() {
        everyInterleaving()
                .iterations(8)
                .actorsPerThread(3)
                .sequentialSpecification(OneEnding.class)
                .check(OneItem.class);
    }

    /** A batch that some join and some seal. */
    public static class Joined {
        private final Batch<String, String> batch = Pure.batchOfThree(Pure.item("first", Long.MAX_VALUE));

        @Operation
        public boolean join(@Param(gen = IntGen.class, conf = "1:9") int number) {
            return batch.join(Pure.item("number " + number, Long.MAX_VALUE));
        }

        @Operation
        public List<String> seal() {
            return Pure.sealed(batch);
        }
    }

    /** The same, one at a time. */
    public static class JoinedOneAtATime {
        private final List<String> in = new ArrayList<>(List.of("first"));
        private boolean sealed;

        public boolean join(int number) {
            return !sealed && in.size() < MAX && in.add("number " + number);
        }

        public List<String> seal() {
            sealed = true;
            return List.copyOf(in);
        }
    }

    @Test
    void whoeverHasJoinedIsInTheBatchAndWhoeverWasRefusedIsNot() {
        everyInterleaving()
                .iterations(8)
                .actorsPerThread(2)
                // What is taken along is looked at by one thread only, but for the state of each item.
                .addGuarantee(forClasses("dev.penstock.collapse.SealedBatch")
                        .allMethods()
                        .treatAsAtomic())
                .sequentialSpecification(JoinedOneAtATime.class)
                .check(Joined.class);
    }

    /** A batch that one of its two leaves while it is sealed. */
    public static class Left {
        private final BatchItem<String, String> hasty = Pure.item("hasty", 10);
        private final Batch<String, String> batch = Pure.batchOfTwo(Pure.item("first", Long.MAX_VALUE));

        public Left() {
            batch.join(hasty);
        }

        @Operation
        public String leave() {
            return Pure.giveUp(hasty);
        }

        @Operation
        public List<String> seal() {
            return Pure.sealed(batch);
        }
    }

    /** The same, one at a time. */
    public static class LeftOneAtATime {
        private String ending = "";
        private List<String> sealed = List.of();

        public String leave() {
            ending = !ending.isEmpty() ? ending : sealed.isEmpty() ? "rejected" : "unknown";
            return ending;
        }

        public List<String> seal() {
            List<String> all = ending.isEmpty() ? List.of("first", "hasty") : List.of("first");
            sealed = sealed.isEmpty() ? all : sealed;
            return sealed;
        }
    }

    @Test
    void whoLeavesIsEitherSentOrRejected() {
        everyInterleaving()
                .iterations(8)
                .actorsPerThread(2)
                .sequentialSpecification(LeftOneAtATime.class)
                .check(Left.class);
    }
}
