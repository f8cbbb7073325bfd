package io.lambdafs.datanode.cloud;

import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.models.ParallelTransferOptions;
import com.azure.storage.blob.options.BlobUploadFromFileOptions;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.objects.ObjectFailures;
import io.lambdafs.rpc.objects.ObjectPlace;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Keeps objects as block blobs of an Azure container. Azure's library retries transient failures a few times.
 * Thread-safe.
 */
final class AzureBlockStore extends CloudBlockStore {
    private static final Duration CALL = Duration.ofSeconds(90);
    private static final int TRIES = 4;
    private static final int TRY_SECONDS = 30;
    private static final long PART_BYTES = 8L << 20;
    private static final int PAGE = 1_000;
    private static final int NOT_FOUND = 404;
    private static final int BEYOND_THE_END = 416;
    private static final String ANY = "*";

    private final ObjectPlace place;
    private final BlobContainerClient container;
    private final Spool spool;

    private AzureBlockStore(ObjectPlace place, BlobContainerClient container, Spool spool) {
        this.place = place;
        this.container = container;
        this.spool = spool;
    }

    /**
     * @param connection the connection string in the Azure portal's form: the account, its key, and its endpoint.
     *     Nothing is sent
     */
    static AzureBlockStore open(ObjectPlace place, String connection, Spool spool) {
        BlobContainerClient container = new BlobServiceClientBuilder()
                .connectionString(connection)
                .httpClient(new JdkHttpClientBuilder().build())
                .retryOptions(
                        new RequestRetryOptions(RetryPolicyType.EXPONENTIAL, TRIES, TRY_SECONDS, 200L, 2_000L, null))
                .buildClient()
                .getBlobContainerClient(place.bucket());
        return new AzureBlockStore(place, container, spool);
    }

    @Override
    public String place() {
        return place.toString();
    }

    private BlobClient blob(String key) {
        return container.getBlobClient(place.name(key));
    }

    private FsException failed(String what, String key, RuntimeException e) {
        String tried = "cannot " + what + " " + key + " in " + place;
        return e instanceof BlobStorageException answered
                ? ObjectFailures.of(
                        tried,
                        answered.getStatusCode(),
                        String.valueOf(answered.getErrorCode()),
                        String.valueOf(answered.getServiceMessage()))
                : ObjectFailures.unanswered(tried, e);
    }

    private static boolean is(int status, RuntimeException e) {
        return e instanceof BlobStorageException answered && answered.getStatusCode() == status;
    }

    @Override
    public Upload upload(String key) {
        return new SpooledUpload(key, spool.next(), new SpooledUpload.Sending() {
            @Override
            public void send(Path file, String mark) {
                try {
                    blob(key)
                            .uploadFromFileWithResponse(
                                    new BlobUploadFromFileOptions(file.toString())
                                            .setParallelTransferOptions(new ParallelTransferOptions()
                                                    .setBlockSizeLong(PART_BYTES)
                                                    .setMaxConcurrency(1))
                                            .setMetadata(Map.of(SpooledUpload.MARK, mark))
                                            .setRequestConditions(new BlobRequestConditions().setIfNoneMatch(ANY)),
                                    null,
                                    Context.NONE);
                } catch (RuntimeException e) {
                    throw failed("write", key, e);
                }
            }

            @Override
            public String markThere() {
                try {
                    return blob(key).getProperties().getMetadata().getOrDefault(SpooledUpload.MARK, "");
                } catch (RuntimeException unknown) {
                    return "";
                }
            }
        });
    }

    @Override
    public OptionalLong length(String key) {
        try {
            return OptionalLong.of(blob(key).getProperties().getBlobSize());
        } catch (RuntimeException e) {
            // A missing container is no missing object.
            if (is(NOT_FOUND, e)
                    && !String.valueOf(((BlobStorageException) e).getErrorCode())
                            .contains("Container")) {
                return OptionalLong.empty();
            }
            throw failed("look at", key, e);
        }
    }

    @Override
    public int read(String key, long offset, byte[] into, int at, int length) {
        Range out = new Range(into, at, length);
        try {
            blob(key)
                    .downloadStreamWithResponse(
                            out,
                            new BlobRange(offset, (long) length),
                            new DownloadRetryOptions().setMaxRetryRequests(TRIES),
                            null,
                            false,
                            CALL,
                            Context.NONE);
            return out.count;
        } catch (RuntimeException e) {
            if (is(BEYOND_THE_END, e)) {
                return 0;
            }
            throw failed("read", key, e);
        }
    }

    /** Takes the downloaded bytes. */
    private static final class Range extends OutputStream {
        private final byte[] into;
        private final int at;
        private final int length;
        private int count;

        Range(byte[] into, int at, int length) {
            this.into = into;
            this.at = at;
            this.length = length;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int size) {
            if (size > length - count) {
                throw new IllegalStateException("more came than was asked for");
            }
            System.arraycopy(bytes, offset, into, at + count, size);
            count += size;
        }
    }

    @Override
    public boolean delete(String key) {
        try {
            return blob(key).deleteIfExists();
        } catch (RuntimeException e) {
            throw failed("delete", key, e);
        }
    }

    /** Azure cannot start a list after a key: a page costs as much as all keys before it. */
    @Override
    public List<StoredObject> list(String prefix, String after, int limit) {
        List<StoredObject> found = new ArrayList<>();
        try {
            ListBlobsOptions options =
                    new ListBlobsOptions().setPrefix(place.name(prefix)).setMaxResultsPerPage(PAGE);
            for (BlobItem each : container.listBlobs(options, null)) {
                String key = place.key(each.getName());
                if (key.compareTo(after) > 0) {
                    found.add(new StoredObject(
                            key,
                            each.getProperties().getContentLength(),
                            each.getProperties().getLastModified().toInstant().toEpochMilli()));
                }
                if (found.size() == limit) {
                    break;
                }
            }
        } catch (RuntimeException e) {
            throw failed("list", prefix, e);
        }
        return found;
    }

    @Override
    public void close() {
        // The HTTP client ends with its last reference.
    }
}
