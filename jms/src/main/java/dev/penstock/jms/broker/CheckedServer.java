package dev.penstock.jms.broker;

import java.util.Arrays;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.io.IOCriticalErrorListener;
import org.apache.activemq.artemis.core.io.SequentialFileFactory;
import org.apache.activemq.artemis.core.journal.Journal;
import org.apache.activemq.artemis.core.journal.impl.JournalFile;
import org.apache.activemq.artemis.core.journal.impl.JournalImpl;
import org.apache.activemq.artemis.core.paging.PagingStoreFactory;
import org.apache.activemq.artemis.core.paging.impl.PagingStoreFactoryNIO;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.persistence.impl.journal.JournalStorageManager;
import org.apache.activemq.artemis.core.server.impl.ActiveMQServerImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An Artemis broker all of whose files are {@link CheckedFiles}. Its owner stops it after an I/O error. */
final class CheckedServer extends ActiveMQServerImpl {
    private static final Logger LOG = LoggerFactory.getLogger(CheckedServer.class);
    private static final double COMPACT_BELOW = 0.3;
    private static final int COMPACT_SECONDS = 10;
    private static final int BINDINGS_FILE_BYTES = 1 << 20;

    private final DiskFault fault;

    CheckedServer(Configuration configuration, @Nullable SingleUserSecurity login, DiskFault fault) {
        super(configuration, login);
        this.fault = fault;
    }

    /** The first I/O error; null while there was none. */
    @Nullable
    String fault() {
        return fault.reason();
    }

    /**
     * Compacts a journal that is mostly empty, and deletes the files left over. Artemis does so only when the next file is
     * full, so never while messages are refused.
     *
     * @param room the free bytes on the disk
     */
    void freeDisk(long room) {
        StorageManager storage = getStorageManager();
        if (storage == null) {
            return;
        }
        Journal journal = storage.getMessageJournal();
        JournalFile[] files = journal.getDataFiles();
        long fileSize = getConfiguration().getJournalFileSize();
        long live = Arrays.stream(files).mapToLong(JournalFile::getLiveSize).sum();
        boolean isWorthIt = live < COMPACT_BELOW * files.length * fileSize && live + 2 * fileSize < room;
        if (files.length > getConfiguration().getJournalPoolFiles() && isWorthIt) {
            try {
                journal.scheduleCompactAndBlock(COMPACT_SECONDS);
            } catch (Exception failed) {
                LOG.debug("the journal was not compacted", failed);
            }
        }
    }

    /** Stops the broker without writing anything, as after a crash. */
    void stopAfterFault() {
        stop(false, true, false);
    }

    @Override
    protected StorageManager createStorageManager() {
        CheckedStorage storage = new CheckedStorage();
        getCriticalAnalyzer().add(storage);
        return storage;
    }

    @Override
    protected PagingStoreFactory getPagingStoreFactory() {
        Configuration configuration = getConfiguration();
        return new PagingStoreFactoryNIO(
                getStorageManager(),
                configuration.getPagingLocation(),
                configuration.getPageSyncTimeout(),
                scheduledPool,
                pageExecutorFactory,
                configuration.isJournalSyncNonTransactional(),
                fault) {
            @Override
            protected SequentialFileFactory newFileFactory(String folder) {
                return new CheckedFiles(
                        getDirectory().toPath().resolve(folder).toFile(), false, 1, configuration, fault, null);
            }
        };
    }

    private final class CheckedStorage extends JournalStorageManager {
        CheckedStorage() {
            super(
                    CheckedServer.this.getConfiguration(),
                    CheckedServer.this.getCriticalAnalyzer(),
                    CheckedServer.this.executorFactory,
                    CheckedServer.this.scheduledPool,
                    CheckedServer.this.ioExecutorFactory,
                    fault);
        }

        /** Runs within the constructor of the superclass. */
        @Override
        protected void init(Configuration configuration, IOCriticalErrorListener listener) {
            super.init(configuration, listener);
            int maxIO = configuration.getJournalMaxIO_NIO();
            bindingsFF =
                    new CheckedFiles(configuration.getBindingsLocation(), false, maxIO, configuration, fault, null);
            bindingsJournal = new JournalImpl(
                    ioExecutorFactory,
                    BINDINGS_FILE_BYTES,
                    2,
                    configuration.getJournalPoolFiles(),
                    configuration.getJournalCompactMinFiles(),
                    configuration.getJournalCompactPercentage(),
                    configuration.getJournalFileOpenTimeout(),
                    bindingsFF,
                    "activemq-bindings",
                    "bindings",
                    1,
                    0,
                    listener,
                    configuration.getJournalMaxAtticFiles());
            originalBindingsJournal = bindingsJournal;
            largeMessagesFactory =
                    new CheckedFiles(configuration.getLargeMessagesLocation(), false, 1, configuration, fault, null);
        }

        @Override
        protected Journal createMessageJournal(
                Configuration configuration, IOCriticalErrorListener listener, int fileSize) {
            int maxIO = configuration.getJournalMaxIO_NIO();
            journalFF = new CheckedFiles(
                    configuration.getJournalLocation(), true, maxIO, configuration, fault, getCriticalAnalyzer());
            return super.createMessageJournal(configuration, listener, fileSize);
        }
    }
}
