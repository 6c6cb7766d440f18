package dev.penstock.migrate;

/** The attributes of Tomcat's HTTP connector, 6 to 11, and what Spring Boot calls them below {@code server.tomcat}. */
final class TomcatNames {
    private static final String TLS =
            "not supported: a flow listens for plain HTTP; put a proxy that ends TLS in front of it";
    private static final String THREADS =
            "not needed: each connection has a virtual thread; limit bounds concurrent calls to the target";
    private static final String SOCKET = "not needed: the source is strict, and measures or bounds it by itself";
    private static final String COMPRESSION = "not supported: an answer is sent as the target compressed it";
    private static final String SERVLET = "about servlets; stays with the target";

    static final StageNames ALL = new StageNames("Connector")
            .use(FlowKey.PORT, "", "port")
            .use(FlowKey.HOST, "", "address")
            .use(
                    FlowKey.MAX_BODY,
                    "there for forms, here for every body",
                    "maxPostSize",
                    "max-http-form-post-size",
                    "max-http-post-size")
            .use(
                    FlowKey.HEADER_TIME,
                    "there up to the first line of a request, here for its whole head",
                    "connectionTimeout")
            .use(FlowKey.BODY_TIME, "", "connectionUploadTimeout")
            .use(FlowKey.IDLE_TIME, "", "keepAliveTimeout")
            .use(FlowKey.MAX_CONNECTIONS, "", "maxConnections")
            .use(FlowKey.MAX_HEADERS, "", "maxHttpRequestHeaderSize", "maxHttpHeaderSize")
            .drop(
                    THREADS,
                    "maxThreads",
                    "threads.max",
                    "minSpareThreads",
                    "threads.min-spare",
                    "threads.max-queue-capacity",
                    "maxSpareThreads",
                    "maxProcessors",
                    "minProcessors",
                    "executor",
                    "executorTerminationTimeoutMillis",
                    "useVirtualThreads",
                    "threadPriority",
                    "acceptorThreadCount",
                    "acceptorThreadPriority",
                    "pollerThreadCount",
                    "pollerThreadPriority",
                    "maxQueueSize",
                    "processorCache")
            .drop("not needed: connections are accepted at once, up to max_connections", "acceptCount", "backlog")
            .drop("not needed: a connection serves any number of requests", "maxKeepAliveRequests")
            .drop(
                    TLS,
                    "SSLEnabled",
                    "scheme",
                    "secure",
                    "sslProtocol",
                    "sslEnabledProtocols",
                    "sslImplementationName",
                    "clientAuth",
                    "ciphers",
                    "keystoreFile",
                    "keystorePass",
                    "keystoreType",
                    "keystoreProvider",
                    "keyAlias",
                    "keyPass",
                    "truststoreFile",
                    "truststorePass",
                    "truststoreType",
                    "truststoreProvider",
                    "algorithm",
                    "defaultSSLHostConfigName",
                    "SSLCertificateFile",
                    "SSLCertificateKeyFile",
                    "SSLCertificateChainFile",
                    "SSLCACertificateFile",
                    "SSLPassword",
                    "SSLProtocol",
                    "SSLCipherSuite",
                    "SSLVerifyClient",
                    "sessionCacheSize",
                    "sessionTimeout",
                    "useServerCipherSuitesOrder",
                    "sniParseLimit",
                    "allowHostHeaderMismatch",
                    "strictSni",
                    "ssl.*")
            .drop(
                    COMPRESSION,
                    "compression",
                    "compressionMinSize",
                    "compressibleMimeType",
                    "compressableMimeType",
                    "noCompressionUserAgents",
                    "noCompressionStrongETag",
                    "useSendfile",
                    "sendfileSize",
                    "compression.*")
            .drop(
                    SOCKET,
                    "tcpNoDelay",
                    "connectionLinger",
                    "soLinger",
                    "socketBuffer",
                    "bindOnInit",
                    "deferAccept",
                    "bufferSize",
                    "pollTime",
                    "pollerSize",
                    "selectorTimeout",
                    "selectorPool.*",
                    "socket.*",
                    "useInheritedChannel",
                    "useComet",
                    "unixDomainSocketPath",
                    "unixDomainSocketPathPermissions",
                    "ipv6v6only",
                    "portOffset",
                    "acceptorThreadName",
                    "maxTrailerSize",
                    "maxExtensionSize",
                    "maxHeaderCount",
                    "maxSwallowSize",
                    "maxHttpResponseHeaderSize",
                    "minResponseSize",
                    "continueResponseTiming",
                    "asyncTimeout",
                    "closeKeepAliveTimeout",
                    "disableKeepAlivePercentage",
                    "restrictedUserAgents",
                    "throwOnFailure",
                    "discardFacades",
                    "discardRequestsAndResponses",
                    "rejectSuspiciousURIs",
                    "disableUploadTimeout",
                    "reuseAddress",
                    "maxSavePostSize",
                    "id",
                    "name",
                    "className")
            .drop(
                    "strict: malformed requests are rejected with 400",
                    "rejectIllegalHeader",
                    "rejectIllegalHeaderName",
                    "relaxedPathChars",
                    "relaxedQueryChars",
                    "encodedSolidusHandling",
                    "encodedReverseSolidusHandling",
                    "allowedTrailerHeaders",
                    "allowHostHeaderMismatch",
                    "allowTrace",
                    "allowBackslash")
            .drop("not needed: HTTP/1.1 always", "protocol")
            .drop(
                    SERVLET,
                    "URIEncoding",
                    "useBodyEncodingForURI",
                    "enableLookups",
                    "emptySessionPath",
                    "maxParameterCount",
                    "maxPartCount",
                    "maxPartHeaderSize",
                    "maxCookieCount",
                    "parseBodyMethods",
                    "proxyName",
                    "proxyPort",
                    "redirectPort",
                    "server",
                    "serverRemoveAppProvidedValues",
                    "xpoweredBy",
                    "useIPVHosts",
                    "useKeepAliveResponseHeader",
                    "additional-tld-skip-patterns",
                    "background-processor-delay",
                    "basedir",
                    "redirect-context-root",
                    "use-relative-redirects",
                    "use-apr",
                    "resource.*",
                    "remoteip.*",
                    "remote-ip-header",
                    "protocol-header",
                    "protocol-header-https-value",
                    "port-header",
                    "internal-proxies",
                    "servlet.*",
                    "error.*",
                    "http2.*",
                    "contextPath",
                    "forward-headers-strategy",
                    "use-forward-headers",
                    "shutdown")
            .drop(
                    "not needed: the log has the reasons, counters and times are at /metrics",
                    "accesslog.*",
                    "mbeanregistry.*");

    private TomcatNames() {}
}
