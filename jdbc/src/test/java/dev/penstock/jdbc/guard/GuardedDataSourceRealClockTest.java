package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.Setting;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Uses H2 in this process through a driver without sockets, whose connections can be made to hang. At most one connection:
 * where opening one is slow, a pool opens a second for a caller that waits.
 */
@Timeout(180)
class GuardedDataSourceRealClockTest {
    private static final String H2 = "jdbc:h2:mem:guard;DB_CLOSE_DELAY=-1";

    private final FragileSource fragile = new FragileSource();
    private final GuardedDataSource source =
            GuardedDataSource.over(fragile, "fragile").max(1).build();

    @AfterEach
    void close() {
        fragile.mend();
        source.close();
    }

    @Test
    void lendsAWorkingConnection() throws Exception {
        assertThat(askOne(source)).isEqualTo(1);
        assertThat(source.connections()).containsEntry("leased", 0L).containsEntry("idle", 1L);
    }

    @Test
    void aNewConnectionUsesTheLoginOfThatTime() throws Exception {
        String url = "jdbc:h2:mem:login;DB_CLOSE_DELAY=-1";
        AtomicReference<String> user = new AtomicReference<>("ONE");
        AtomicReference<String> password = new AtomicReference<>("first");
        try (GuardedDataSource changing = GuardedDataSource.at(url)
                .user(user::get)
                .password(password::get)
                .maxAge(Duration.ofSeconds(1))
                .max(1)
                .build()) {
            assertThat(userOf(changing)).isEqualTo("ONE");
            try (Connection admin = DriverManager.getConnection(url, "ONE", "first");
                    Statement statement = admin.createStatement()) {
                statement.execute("create user TWO password 'second' admin");
            }
            user.set("TWO");
            password.set("second");
            while (!userOf(changing).equals("TWO")) {
                awaitIdleFor(Duration.ofMillis(50));
            }
        }
    }

    private static String userOf(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                ResultSet row = connection.createStatement().executeQuery("select current_user")) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void replacesAHangingConnectionAfterTheValidationTimeout() throws Exception {
        assertThat(askOne(source)).isEqualTo(1);
        fragile.hangAll();
        awaitIdleFor(Duration.ofMillis(600));

        // A validation without a timeout would last until the connection works again, after the test.
        assertThat(askOne(source)).isEqualTo(1);

        assertThat(source.report().metByCallers() + source.report().foundIdle()).isEqualTo(1);
        assertThat(fragile.opened()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void replacesAConnectionThatIsNotValid() throws Exception {
        assertThat(askOne(source)).isEqualTo(1);
        fragile.killAll();
        awaitIdleFor(Duration.ofMillis(600));

        assertThat(askOne(source)).isEqualTo(1);
        assertThat(fragile.opened()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void laterConnectionsWorkWhenTheFirstBreaksDuringSetUp() throws Exception {
        AtomicInteger opened = new AtomicInteger();
        DataSource breaking = (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    Object made = method.invoke(fragile, arguments);
                    if (made instanceof Connection connection && opened.getAndIncrement() == 0) {
                        connection.close();
                    }
                    return made;
                });
        try (GuardedDataSource all =
                GuardedDataSource.over(breaking, "breaking").build()) {
            assertThat(askOne(all)).isEqualTo(1);
            assertThat(opened.get()).isGreaterThan(1);
        }
    }

    @Test
    void appliesSessionSettingsToReplacementConnections() throws Exception {
        try (GuardedDataSource readOnly = GuardedDataSource.over(fragile, "read-only")
                .autoCommit(false)
                .isolation("TRANSACTION_SERIALIZABLE")
                .build()) {
            readOnly.getConnection().close();
            fragile.killAll();
            awaitIdleFor(Duration.ofMillis(600));
            try (Connection connection = readOnly.getConnection()) {
                assertThat(connection.getAutoCommit()).isFalse();
                assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            }
        }
    }

    @Test
    void rollsBackOpenTransactionsOfCallers() throws Exception {
        try (GuardedDataSource manual = GuardedDataSource.over(fragile, "manual")
                .autoCommit(false)
                .max(1)
                .build()) {
            try (Connection connection = manual.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table if not exists left_open(id int)");
                connection.commit();
                statement.execute("insert into left_open values (1)");
            }
            try (Connection connection = manual.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select count(*) from left_open")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isZero();
            }
        }
    }

    @Test
    void timesOutWhenNoConnectionIsFree() throws Exception {
        try (GuardedDataSource one =
                        GuardedDataSource.over(fragile, "one").max(1).build();
                Connection held = one.getConnection()) {
            assertThat(held.isValid(1)).isTrue();

            assertThatThrownBy(() -> one.getConnection(Duration.ofMillis(50)))
                    .isInstanceOf(SQLTransientConnectionException.class);
            assertThat(one.report().waiting()).isZero();
        }
    }

    @Test
    void startsWhileTheDatabaseIsDownAndNamesIt() {
        fragile.refuse("the database is down");
        try (GuardedDataSource down = GuardedDataSource.over(fragile, "down").build()) {
            assertThatThrownBy(() -> down.getConnection(Duration.ofMillis(300)))
                    .isInstanceOf(SQLTransientConnectionException.class)
                    .hasStackTraceContaining("the database is down");
        }
    }

    @Test
    void secondCloseHasNoEffect() throws Exception {
        Connection connection = source.getConnection();
        connection.close();
        connection.close();

        assertThat(connection.isClosed()).isTrue();
        assertThat(source.report().waiting()).isZero();
        assertThat(source.report().leased()).isZero();
    }

    @Test
    void neverLendsAnAbortedConnection() throws Exception {
        Connection connection = source.getConnection();
        connection.abort(Runnable::run);
        connection.close();

        assertThat(source.report().leased()).isZero();
        assertThat(source.report().waiting()).isZero();
        assertThat(askOne(source)).isEqualTo(1);
        assertThat(fragile.opened()).isGreaterThanOrEqualTo(2);
    }

    /** As Spring Boot does: it casts what the configuration bean unwraps to. */
    @Test
    void unwrapsToHikarisDataSource() throws Exception {
        HikariDataSource hikari = source.unwrap(HikariDataSource.class);

        assertThat(source.isWrapperFor(HikariConfigMXBean.class)).isTrue();
        assertThat(source.unwrap(HikariConfigMXBean.class)).isSameAs(hikari);
        assertThat(source.unwrap(DataSource.class)).isSameAs(source);
        try (Connection _ = source.getConnection()) {
            assertThat(hikari.getHikariPoolMXBean().getActiveConnections()).isOne();
        }
    }

    @Test
    void unwrapsToTheDriversConnection() throws Exception {
        try (GuardedDataSource plain = GuardedDataSource.at(H2).build();
                Connection connection = plain.getConnection()) {
            assertThat(connection.unwrap(org.h2.jdbc.JdbcConnection.class)).isNotNull();
        }
    }

    @Test
    void validatesByQueryIfConfigured() throws Exception {
        // The other data source validates its connections by isValid().
        FragileSource untested = new FragileSource();
        try (GuardedDataSource old =
                GuardedDataSource.over(untested, "old").testQuery("select 1").build()) {
            assertThat(askOne(old)).isEqualTo(1);
            awaitIdleFor(Duration.ofMillis(600));
            assertThat(askOne(old)).isEqualTo(1);

            assertThat(old.report().validations()).isPositive();
            assertThat(untested.isValidCalls()).isZero();
        }
    }

    @Test
    void closedDataSourceSaysSo() {
        source.close();

        assertThatThrownBy(source::getConnection)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void namesTheUrlWithoutADriver() {
        assertThatThrownBy(() -> GuardedDataSource.at("jdbc:nothing://somebody:secret@host/db?password=secret"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no suitable JDBC driver for jdbc:nothing://host/db")
                .hasMessageNotContaining("secret");
    }

    @Test
    void showsItsSettingsWithReasons() {
        try (GuardedDataSource plain = GuardedDataSource.over(fragile, "plain").build()) {
            assertThat(plain.settings())
                    .allSatisfy(setting -> assertThat(setting.reason()).isNotEmpty())
                    .extracting("name", "range")
                    .contains(
                            tuple("pool.max", "1..1000"),
                            tuple("pool.idle", "100ms..24h"),
                            tuple("pool.wait", "1ms..1h"),
                            tuple("pool.connect_timeout", "1ms..10m"),
                            tuple("pool.max_age", "1s..24h"));
            assertThat(plain.settings()).extracting("name").contains("pool.warm", "pool.validation_timeout");
            // No value was configured.
            assertThat(plain.settings()).extracting("origin").doesNotContain(Setting.Origin.PINNED);
        }
    }

    private static int askOne(DataSource from) throws SQLException {
        try (Connection connection = from.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select 1")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** Real time: HikariCP and the driver use the system's clock. */
    private static void awaitIdleFor(Duration time) throws InterruptedException {
        assertThat(new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS))
                .isFalse();
    }

    /** Opens connections to H2 that can be made to hang or to die. */
    private static final class FragileSource implements DataSource {
        private enum Kind {
            WELL,
            HANGING,
            DEAD
        }

        private static final class Fate {
            volatile Kind kind = Kind.WELL;
        }

        private final List<Fate> fates = new CopyOnWriteArrayList<>();
        private final CountDownLatch mended = new CountDownLatch(1);
        private final List<String> isValid = new CopyOnWriteArrayList<>();
        private volatile @Nullable String refusal;

        void hangAll() {
            fates.forEach(fate -> fate.kind = Kind.HANGING);
        }

        void killAll() {
            fates.forEach(fate -> fate.kind = Kind.DEAD);
        }

        void refuse(String why) {
            refusal = why;
        }

        void mend() {
            mended.countDown();
        }

        int opened() {
            return fates.size();
        }

        int isValidCalls() {
            return isValid.size();
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (refusal != null) {
                throw new SQLException(refusal, "08001");
            }
            Connection real = DriverManager.getConnection(H2);
            Fate fate = new Fate();
            fates.add(fate);
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        boolean ends = method.getName().equals("close")
                                || method.getName().equals("abort");
                        if (method.getName().equals("isValid")) {
                            isValid.add("asked");
                        }
                        if (!ends && fate.kind == Kind.HANGING) {
                            mended.await();
                        }
                        if (!ends && fate.kind == Kind.DEAD) {
                            throw new SQLException("the connection is dead", "08006");
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }

        @Override
        public java.io.PrintWriter getLogWriter() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setLogWriter(java.io.PrintWriter out) {}

        @Override
        public void setLoginTimeout(int seconds) {}

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T unwrap(Class<T> kind) throws SQLException {
            throw new SQLException("nothing is in it");
        }

        @Override
        public boolean isWrapperFor(Class<?> kind) {
            return false;
        }
    }
}
