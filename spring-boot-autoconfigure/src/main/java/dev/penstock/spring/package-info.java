/**
 * Penstock in Spring Boot 4: flows from the properties {@code penstock.flows.*}, a {@code ClientHttpRequestFactory} for {@code
 * RestClient}, {@code RestTemplate} and {@code @HttpExchange}, {@code spring.datasource.type}, an Actuator endpoint, health and
 * metrics.
 *
 * <p>The keys of the properties are those of the flow file: {@link dev.penstock.gateway.file.EmbeddedFlows} reads them, and a
 * {@link dev.penstock.gateway.Gateway} without sources runs the flows. Nothing here has a list of keys.
 */
@NullMarked
package dev.penstock.spring;

import org.jspecify.annotations.NullMarked;
