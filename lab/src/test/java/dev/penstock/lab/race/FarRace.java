package dev.penstock.lab.race;

import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.report.Contestant.Role;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A race whose contestants have a JVM each and behave well or badly; found by the service loader in either JVM. */
public final class FarRace implements Race {
    static final AtomicInteger BEGUN = new AtomicInteger();

    @Override
    public String name() {
        return "far";
    }

    @Override
    public String question() {
        return "does a JVM of its own work?";
    }

    @Override
    public List<Course> courses() {
        return List.of(new FarCourse());
    }

    private static final class FarCourse implements Course {
        @Override
        public String name() {
            return "away";
        }

        @Override
        public String workload(Effort effort) {
            return "a hundred calls of nothing";
        }

        @Override
        public List<Entry> entries() {
            return List.of(entry("good"), entry("chatty"), entry("dies"), entry("throws"), entry("hangs"));
        }

        private static Entry entry(String name) {
            return new Entry(name, Role.PEER, Map.of(), true, List.of("-Dlesson=" + name));
        }

        @Override
        public List<String> judged() {
            return List.of("count");
        }

        @Override
        public List<String> shown() {
            return judged();
        }

        @Override
        public Duration blockTime(Effort effort) {
            return Duration.ofSeconds(1);
        }

        @Override
        public Duration stagger() {
            return Duration.ofMillis(1);
        }

        @Override
        public boolean rehearses() {
            return false;
        }

        @Override
        public Scene open(Block block) {
            return new Scene() {
                @Override
                public Map<String, String> parameters() {
                    return Map.of("greeting", "a \"b\"\nc");
                }

                @Override
                public void begin() {
                    BEGUN.incrementAndGet();
                }
            };
        }

        @Override
        public BlockResult run(Block block, Cue cue) throws Exception {
            switch (block.entry()) {
                case "chatty" -> {
                    for (int i = 0; i < 5_000; i++) {
                        System.out.println("a line on standard output");
                        System.err.println("a line on standard error");
                    }
                }
                case "dies" -> {
                    System.err.println("out of luck");
                    Runtime.getRuntime().halt(3);
                }
                case "throws" -> throw new IllegalStateException("no such luck");
                case "hangs" -> new CountDownLatch(1).await();
                default -> {}
            }
            boolean told = "a \"b\"\nc".equals(cue.parameters().get("greeting"))
                    && block.entry().equals(System.getProperty("lesson"));
            cue.ready();
            return BlockResult.of(ClosedLoad.of(2, Duration.ZERO)
                    .count(told ? 100 : 1)
                    .watch(Duration.ofMillis(1), cue::progress)
                    .run(request -> request, number -> number)
                    .metrics());
        }
    }
}
