package dev.penstock.spring;

import static dev.penstock.spring.PenstockContext.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.Setting;
import dev.penstock.jdbc.guard.GuardedDataSource;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** {@code spring.datasource.type} makes the data source of an application a guarded one. */
class PenstockDataSourceAutoConfigurationTest {
    private static final String TYPE = "spring.datasource.type=dev.penstock.jdbc.guard.GuardedDataSource";

    private static ApplicationContextRunner shop() {
        return runner().withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=jdbc:h2:mem:shop", "spring.datasource.username=sa");
    }

    @Test
    void theTypeMakesAGuardedDataSourceWithTheSettingsOfHikari() {
        shop().withPropertyValues(
                        TYPE,
                        "spring.datasource.hikari.maximum-pool-size=7",
                        "spring.datasource.hikari.connection-timeout=15000",
                        "spring.datasource.hikari.leak-detection-threshold=3000")
                .run(context -> {
                    GuardedDataSource source = context.getBean(GuardedDataSource.class);
                    assertThat(context).hasSingleBean(DataSource.class);
                    assertThat(new JdbcTemplate(source).queryForObject("select 1", Integer.class))
                            .isEqualTo(1);
                    assertThat(source.settings())
                            .extracting(Setting::name, Setting::value)
                            .contains(tuple("pool.max", "7"), tuple("pool.wait", "15 s"));
                    assertThat(source.unwrap(HikariDataSource.class).getLeakDetectionThreshold())
                            .isEqualTo(3000);
                });
    }

    @Test
    void propertiesOfTheDriverAreItsOwn() {
        shop().withPropertyValues(
                        TYPE,
                        "spring.datasource.hikari.maximum-pool-size=3",
                        "spring.datasource.hikari.minimum-idle=10",
                        "spring.datasource.hikari.data-source-properties.SCHEMA=INFORMATION_SCHEMA")
                .run(context -> {
                    JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
                    assertThat(jdbc.queryForObject("select schema()", String.class))
                            .isEqualTo("INFORMATION_SCHEMA");
                    assertThat(context.getBean(GuardedDataSource.class).settings())
                            .extracting(Setting::name, Setting::value)
                            .contains(tuple("pool.warm", "3"));
                });
    }

    @Test
    void withoutTheTypeThePoolIsBoots() {
        shop().run(context -> assertThat(context).hasSingleBean(HikariDataSource.class));
    }

    @Test
    void aSizeOutOfRangeNamesItsProperty() {
        shop().withPropertyValues(TYPE, "spring.datasource.hikari.maximum-pool-size=5000")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("spring.datasource.hikari.maximum-pool-size")
                        .hasMessageContaining("max must be 1 to 1000, not 5000"));
    }

    @Test
    void withoutOurPoolTheTypeIsBootsToReport() {
        shop().withClassLoader(new FilteredClassLoader(GuardedDataSource.class))
                .withPropertyValues(TYPE)
                .run(context -> assertThat(context).hasFailed());
    }
}
