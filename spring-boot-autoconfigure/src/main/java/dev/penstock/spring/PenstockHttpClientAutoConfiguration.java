package dev.penstock.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.context.annotation.Bean;

/**
 * Lets Boot build its {@code RestClient}, {@code RestTemplate} and {@code @HttpExchange} clients on flows, unless a property names
 * another library for them.
 */
@AutoConfiguration(
        after = PenstockAutoConfiguration.class,
        beforeName = {
            "org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration",
            "org.springframework.boot.http.client.autoconfigure.blocking.BlockingHttpClientAutoConfiguration"
        })
@ConditionalOnClass(ClientHttpRequestFactoryBuilder.class)
@ConditionalOnBean(PenstockFlows.class)
@ConditionalOnProperty(name = "spring.http.clients.imperative.factory", havingValue = "penstock", matchIfMissing = true)
public final class PenstockHttpClientAutoConfiguration {
    /** For Spring. */
    PenstockHttpClientAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(ClientHttpRequestFactoryBuilder.class)
    ClientHttpRequestFactoryBuilder<PenstockClientHttpRequestFactory> penstockRequestFactoryBuilder(
            PenstockFlows flows) {
        return settings -> factory(flows, settings);
    }

    private static PenstockClientHttpRequestFactory factory(
            PenstockFlows flows, @Nullable HttpClientSettings settings) {
        if (settings == null) {
            return new PenstockClientHttpRequestFactory(flows);
        }
        if (settings.sslBundle() != null) {
            throw new IllegalArgumentException(
                    "an SSL bundle is set for an HTTP client, and Penstock reads certificates itself:"
                            + " remove it, and set penstock.flows.NAME.to.http.tls for that server");
        }
        if (settings.redirects() == HttpRedirects.FOLLOW) {
            throw new IllegalArgumentException("an HTTP client is to follow redirects, which Penstock does not,"
                    + " since it sends each request at most once; remove this setting");
        }
        return new PenstockClientHttpRequestFactory(
                flows, new HostFlows.Timeouts(settings.connectTimeout(), settings.readTimeout()));
    }
}
