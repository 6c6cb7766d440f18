package dev.penstock.spring;

import com.zaxxer.hikari.HikariConfig;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.guard.GuardedDataSourceBuilder;
import dev.penstock.jdbc.guard.WatchedSocketFactory;
import java.sql.Connection;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * A {@link GuardedDataSource} for {@code spring.datasource.type}. It takes {@code spring.datasource.url}, {@code username},
 * {@code password} and {@code name}, or the connection details of a test container, and the settings of {@code
 * spring.datasource.hikari} that an application has already.
 */
@AutoConfiguration(
        after = PenstockAutoConfiguration.class,
        beforeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnClass({GuardedDataSource.class, DataSourceProperties.class})
@ConditionalOnProperty(name = "spring.datasource.type", havingValue = "dev.penstock.jdbc.guard.GuardedDataSource")
@ConditionalOnMissingBean(DataSource.class)
@EnableConfigurationProperties(DataSourceProperties.class)
@ImportRuntimeHints(PenstockDataSourceAutoConfiguration.PoolHints.class)
public final class PenstockDataSourceAutoConfiguration {
    private static final String HIKARI = "spring.datasource.hikari";

    /** For Spring. */
    PenstockDataSourceAutoConfiguration() {}

    @Bean(destroyMethod = "close")
    GuardedDataSource dataSource(
            DataSourceProperties properties,
            ObjectProvider<JdbcConnectionDetails> details,
            ObjectProvider<PenstockFlows> flows,
            Environment environment) {
        JdbcConnectionDetails given = details.getIfAvailable();
        GuardedDataSourceBuilder source =
                GuardedDataSource.at(given == null ? properties.determineUrl() : given.getJdbcUrl());
        login(given == null ? properties.determineUsername() : given.getUsername(), source::user);
        login(given == null ? properties.determinePassword() : given.getPassword(), source::password);
        Binder binder = Binder.get(environment);
        source.hikari(hikari -> binder.bind(HIKARI, Bindable.ofInstance(hikari)));
        given(binder, "maximum-pool-size", Integer.class, source::max);
        Integer max = binder.bind(HIKARI + ".maximum-pool-size", Integer.class).orElse(null);
        // As HikariCP does.
        given(binder, "minimum-idle", Integer.class, idle -> source.warm(max == null ? idle : Math.min(idle, max)));
        given(binder, "connection-timeout", Long.class, millis -> source.borrowTimeout(Duration.ofMillis(millis)));
        given(binder, "max-lifetime", Long.class, millis -> source.maxAge(Duration.ofMillis(millis)));
        binder.bind(HIKARI + ".data-source-properties", Bindable.mapOf(String.class, String.class))
                .ifBound(all -> all.forEach(source::property));
        flows.ifAvailable(all -> source.state(all.gateway().learned()));
        return source.build();
    }

    /** What a native image must know: HikariCP's settings are bound, drivers get a socket factory by its name, connections are proxies. */
    static final class PoolHints implements RuntimeHintsRegistrar {
        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            BindableRuntimeHintsRegistrar.forTypes(HikariConfig.class).registerHints(hints);
            hints.reflection().registerType(WatchedSocketFactory.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
            hints.proxies().registerJdkProxy(DataSource.class).registerJdkProxy(Connection.class);
        }
    }

    private static void login(@Nullable String text, Consumer<String> to) {
        if (text != null) {
            to.accept(text);
        }
    }

    /** HikariCP's times are in milliseconds. */
    private static <T> void given(Binder binder, String key, Class<T> type, Consumer<T> to) {
        String name = HIKARI + "." + key;
        binder.bind(name, type).ifBound(value -> {
            try {
                to.accept(value);
            } catch (IllegalArgumentException wrong) {
                throw new InvalidConfigurationPropertyValueException(name, value, wrong.getMessage());
            }
        });
    }
}
