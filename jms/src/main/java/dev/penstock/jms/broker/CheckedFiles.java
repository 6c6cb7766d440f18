package dev.penstock.jms.broker;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFile;
import org.apache.activemq.artemis.core.io.nio.NIOSequentialFileFactory;
import org.apache.activemq.artemis.utils.critical.CriticalAnalyzer;
import org.jspecify.annotations.Nullable;

/**
 * Creates the files of the embedded broker, so that nothing is confirmed whose write failed.
 *
 * <h2>Design note</h2>
 *
 * <p>Artemis's own files lose errors in two ways. A failed write is reported to the listener for critical errors only:
 * the write returns normally, the following sync succeeds, and the sender gets its confirmation while the broker is
 * being stopped. And a write that stores only a part, as the last one before a disk is full does, is taken for complete.
 * Here a write stores everything or fails, and after the first failure of any file every write and every sync of the
 * broker fails.
 */
final class CheckedFiles extends NIOSequentialFileFactory {
    private final DiskFault fault;

    /**
     * The files of a folder.
     *
     * @param buffered whether writes are collected, as for the journal of the messages
     * @param maxIO the number of concurrent writes to a file
     */
    CheckedFiles(
            File folder,
            boolean buffered,
            int maxIO,
            Configuration configuration,
            DiskFault fault,
            @Nullable CriticalAnalyzer analyzer) {
        super(
                folder,
                buffered,
                configuration.getJournalBufferSize_NIO(),
                configuration.getJournalBufferTimeout_NIO(),
                maxIO,
                false,
                fault,
                analyzer);
        this.fault = fault;
    }

    @Override
    public SequentialFile createSequentialFile(String name) {
        return new CheckedFile(name);
    }

    /** Without Artemis's own stack trace: the listener logs one line. */
    @Override
    public void onIOError(Throwable exception, String message, @Nullable String file) {
        fault.onIOException(exception, message, file);
    }

    private final class CheckedFile extends NIOSequentialFile {
        CheckedFile(String name) {
            super(CheckedFiles.this, journalDir, name, CheckedFiles.this.maxIO);
        }

        @Override
        public SequentialFile cloneFile() {
            return new CheckedFile(getFileName());
        }

        @Override
        public void sync() throws IOException {
            fault.check();
            super.sync();
            fault.check();
        }

        @Override
        public void writeDirect(ByteBuffer bytes, boolean sync) throws IOException {
            blockingWriteDirect(bytes, sync, true);
        }

        @Override
        public synchronized void blockingWriteDirect(ByteBuffer bytes, boolean sync, boolean releaseBuffer)
                throws IOException {
            try {
                writeAll(bytes);
                if (sync) {
                    sync();
                }
                fault.check();
            } catch (ClosedChannelException closed) {
                throw closed;
            } catch (IOException failed) {
                fault.onIOException(failed, failed.toString(), getFileName());
                throw failed;
            } finally {
                if (releaseBuffer) {
                    factory.releaseBuffer(bytes);
                }
            }
        }

        private void writeAll(ByteBuffer bytes) throws IOException {
            if (!isOpen()) {
                throw new ClosedChannelException();
            }
            position.addAndGet(bytes.limit());
            if (bytes.hasArray()) {
                rfile.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
                bytes.position(bytes.limit());
            }
            while (bytes.hasRemaining()) {
                if (channel.write(bytes) == 0) {
                    throw new IOException("nothing was written");
                }
            }
        }

        @Override
        public void writeDirect(ByteBuffer bytes, boolean sync, IOCallback callback) {
            try {
                writeDirect(bytes, sync);
            } catch (Exception failed) {
                callback.onError(ActiveMQExceptionType.IO_ERROR.getCode(), String.valueOf(failed.getMessage()));
                return;
            }
            callback.done();
        }
    }
}
