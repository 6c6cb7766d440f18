package dev.penstock.spring;

import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Pointcut;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;

/** Sends calls of methods with {@link Flowed} through their flows, before all other interceptors, and reports those that it cannot. */
final class FlowedMethods extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements ApplicationListener<ContextRefreshedEvent> {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(FlowedMethods.class);

    private final transient Supplier<PenstockFlows> flows;
    private final transient FlowProperties properties;
    private final transient Set<Class<?>> checked = ConcurrentHashMap.newKeySet();
    private final transient Set<String> used = ConcurrentHashMap.newKeySet();
    private final transient Map<MethodClassKey, Known> known = new ConcurrentHashMap<>();

    private record Known(FlowedMethod method, Flow<MethodCall, Optional<Object>> flow) {}

    /**
     * @param flows of the application; asked at the first call
     * @param properties with the flows without a target
     */
    FlowedMethods(Supplier<PenstockFlows> flows, FlowProperties properties) {
        this.flows = flows;
        this.properties = properties;
        Pointcut collapsed = new AnnotationMatchingPointcut(null, Collapsed.class, true); // also those without @Flowed
        this.advisor = new DefaultPointcutAdvisor(
                new ComposablePointcut(collapsed)
                        .union((Pointcut) new AnnotationMatchingPointcut(null, Flowed.class, true)),
                (MethodInterceptor) this::invoke);
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(true);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        Object proxy = super.postProcessAfterInitialization(bean, name);
        Class<?> type = AopUtils.getTargetClass(bean);
        if (isEligible(type) && checked.add(type)) {
            check(type);
        }
        return proxy;
    }

    private void check(Class<?> type) {
        Map<Method, FlowedMethod> methods = MethodIntrospector.selectMethods(
                type, (MethodIntrospector.MetadataLookup<FlowedMethod>) method -> FlowedMethod.of(method, type));
        methods.values().forEach(this::check);
        OwnCalls.of(type, methods.keySet())
                .forEach(method -> LOG.warn(
                        "{} calls {}.{} itself: such a call does not go through flow {}; move the method to another bean",
                        type.getName(),
                        method.getDeclaringClass().getName(),
                        method.getName(),
                        Objects.requireNonNull(methods.get(method)).flow()));
    }

    private void check(FlowedMethod method) {
        String flow = method.flow();
        if (!properties.methods().contains(flow)) {
            throw FlowedMethod.bad(
                    method.shown(),
                    "penstock.flows has no flow of this name without 'to'; flows without: "
                            + new TreeSet<>(properties.methods()));
        }
        boolean dedupe = properties.has(flow, "dedupe");
        if (method.key() != null && !dedupe && !properties.has(flow, "retry", "key")) {
            throw FlowedMethod.bad(
                    method.shown(),
                    "its key has no effect: add penstock.flows." + flow
                            + ".dedupe.key, a name for it such as Order-Id");
        }
        if (method.key() == null && dedupe) {
            LOG.warn(
                    "{}: flow {} has dedupe, and the method no key, so its calls are not deduplicated",
                    method.shown(),
                    flow);
        }
        if (method.batch() != null && !properties.has(flow, "collapse")) {
            throw FlowedMethod.bad(
                    method.shown(), "it has @Collapsed: add penstock.flows." + flow + ".collapse, for instance auto");
        }
        used.add(flow);
    }

    /** Reports flows that no method uses: probably their target was forgotten. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent started) {
        Set<String> unused = new HashSet<>(properties.methods());
        unused.removeAll(used);
        flows.get().listeners().used().forEach(flow -> unused.remove(flow.name()));
        unused.forEach(flow -> LOG.warn(
                "flow {} has no target: add penstock.flows.{}.to.http.url, or a method with @Flowed(\"{}\")",
                flow,
                flow,
                flow));
    }

    private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Method method = invocation.getMethod();
        Class<?> type = Objects.requireNonNull(invocation.getThis()).getClass();
        Known found = known.computeIfAbsent(new MethodClassKey(method, type), _ -> find(method, type));
        MethodCall call = found.method.call((ProxyMethodInvocation) invocation);
        try {
            Object answer = found.flow.call(call).orElse(null);
            return answer instanceof StoredAnswer stored ? stored.as(found.method.type()) : answer;
        } catch (Unanswered ending) {
            throw thrown(ending, method);
        }
    }

    private Known find(Method method, Class<?> type) {
        FlowedMethod found =
                Objects.requireNonNull(FlowedMethod.of(AopUtils.getMostSpecificMethod(method, type), type));
        return new Known(found, flows.get().methods(found.flow()));
    }

    /** What the method threw, or the ending if it declares that. */
    private static Throwable thrown(Unanswered ending, Method method) {
        Throwable cause = ending.getCause();
        if (ending instanceof Unknown unknown && unknown.why() == Unknown.Cause.ERROR && cause != null) {
            return cause;
        }
        boolean declared = Stream.of(method.getExceptionTypes()).anyMatch(type -> type.isInstance(ending));
        return declared ? ending : new UnansweredMethodException(ending);
    }
}
