package dev.penstock.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;

/** Applications with Penstock's auto-configuration, and Boot's for its clients. */
final class PenstockContext {
    /** Where nobody listens. */
    static final String NOWHERE = "http://127.0.0.1:1";

    private PenstockContext() {}

    static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        PenstockAutoConfiguration.class,
                        PenstockDataSourceAutoConfiguration.class,
                        PenstockEndpointAutoConfiguration.class,
                        PenstockHealthAutoConfiguration.class,
                        PenstockHttpClientAutoConfiguration.class,
                        PenstockJmsAutoConfiguration.class,
                        PenstockKafkaAutoConfiguration.class,
                        PenstockMetricsAutoConfiguration.class,
                        PenstockTracingAutoConfiguration.class,
                        HttpClientAutoConfiguration.class,
                        ImperativeHttpClientAutoConfiguration.class,
                        RestClientAutoConfiguration.class,
                        RestTemplateAutoConfiguration.class));
    }

    /** With the properties of a file on the class path, which have their lines as origin. */
    static ApplicationContextRunner runner(String file) {
        return runner().withInitializer(context -> {
            try {
                new PropertiesPropertySourceLoader()
                        .load(file, new ClassPathResource(file))
                        .forEach(context.getEnvironment().getPropertySources()::addLast);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
