package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Answered;
import dev.penstock.BatchEndings;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Unknown;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Every request gets its true ending, whatever the database refuses and whenever its connection is lost. */
class GroupCommitTest {
    private static final NamedStatement INSERT =
            new NamedStatement(NamedSql.parse("insert into t values (:id)"), false, new RowReader(1, 1));

    @Property(tries = 3_000)
    void everyReportedEndingIsTrue(
            @ForAll @IntRange(min = 2, max = 40) int size,
            @ForAll Set<@LongRange(min = 0, max = 40) Long> refused,
            @ForAll Set<@LongRange(min = 0, max = 40) Long> byCommit,
            @ForAll @IntRange(min = 0, max = 60) int lostAt,
            @ForAll boolean keepsWhenLost) {
        Set<Long> few = few(byCommit);
        FaultyDatabase database = new FaultyDatabase(refused, few, lostAt, keepsWhenLost);
        List<JdbcRequest> requests = new ArrayList<>();
        for (long id = 0; id < size; id++) {
            requests.add(JdbcRequest.of("id", id));
        }
        boolean unusable;
        BatchEndings<JdbcAnswer> endings;
        Connection connection = database.connection();
        try (CallTimeouts watch = new CallTimeouts("test", Duration.ofMinutes(1));
                CallTimeouts.Call call =
                        watch.start(connection, Duration.ofMinutes(1).toNanos())) {
            endings = new GroupCommit(INSERT, connection, call, requests).run();
            unusable = call.isUnusable();
        }

        assertThat(database.kept()).isSorted().doesNotHaveDuplicates();
        if (database.isLost()) {
            assertThat(unusable).isTrue();
        }
        for (long id = 0; id < size; id++) {
            boolean bad = refused.contains(id) || few.contains(id);
            check(endings.get((int) id), id, bad, database);
        }
    }

    @Example
    void missingPreparedStatementTurnsServerStatementsOff() throws Exception {
        Connection without = proxy(Connection.class, (method, args) -> {
            if (method.getName().equals("prepareStatement")) {
                throw new SQLException("prepared statement \"S_1\" does not exist", "26000");
            }
            return method.invoke(new FaultyDatabase(Set.of(), Set.of(), 0, false).connection(), args);
        });
        DataSource source = proxy(DataSource.class, (_, _) -> without);
        try (JdbcTarget target = JdbcTarget.on(source)
                        .statement("insert into t values (:id)")
                        .build();
                JdbcBatch batch = JdbcBatch.over(target)) {
            BatchEndings<JdbcAnswer> endings = batch.call(List.of(JdbcRequest.of("id", 1), JdbcRequest.of("id", 2)));

            assertThat(endings.get(1))
                    .isInstanceOfSatisfying(
                            Failed.class, ending -> assertThat(ending.why()).isEqualTo(Failed.Cause.ROLLED_BACK));
            assertThat(target.settings())
                    .filteredOn(setting -> setting.name().equals("pool.server_statements"))
                    .singleElement()
                    .satisfies(setting -> assertThat(setting.value()).isEqualTo("off"));
        }
    }

    @FunctionalInterface
    private interface Invocation {
        Object of(Method method, Object[] args) throws Exception;
    }

    private static <T> T proxy(Class<T> kind, Invocation invocation) {
        return kind.cast(Proxy.newProxyInstance(
                kind.getClassLoader(), new Class<?>[] {kind}, (_, method, args) -> invocation.of(method, args)));
    }

    private static void check(Ending ending, long id, boolean bad, FaultyDatabase database) {
        switch (ending) {
            case Answered<?> answered -> {
                assertThat(answered.answer()).isEqualTo(new JdbcAnswer.Updated(1));
                assertThat(database.kept()).contains(id);
                assertThat(bad).isFalse();
            }
            case Failed failed -> {
                assertThat(database.kept()).doesNotContain(id);
                assertThat(failed.why()).isIn(Failed.Cause.REFUSED, Failed.Cause.ROLLED_BACK);
                if (!database.isLost()) {
                    assertThat(failed.why()).isEqualTo(Failed.Cause.REFUSED);
                    assertThat(bad).isTrue();
                }
                if (failed.why() == Failed.Cause.REFUSED) {
                    assertThat(bad).isTrue();
                }
            }
            case Unknown unknown -> {
                assertThat(unknown.why()).isEqualTo(Unknown.Cause.CLOSED);
                assertThat(database.isLostAtCommit()).isTrue();
            }
            default -> throw new AssertionError(ending);
        }
    }

    /** Every third one, so that not all of them fail. */
    private static Set<Long> few(Set<Long> many) {
        Set<Long> few = new HashSet<>(many);
        few.removeIf(id -> id % 3 != 0);
        return few;
    }
}
