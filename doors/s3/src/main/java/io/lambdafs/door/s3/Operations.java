package io.lambdafs.door.s3;

import io.lambdafs.door.s3.wire.S3Call;
import java.util.LinkedHashMap;
import java.util.Map;

/** Names calls as S3's documentation does, by their method and query. Stateless. */
final class Operations {
    static final String OTHER = "Other";

    /** Parts of a bucket or an object that a query names; the first that is there counts. */
    private static final Map<String, String> PARTS = new LinkedHashMap<>();

    static {
        PARTS.put("tagging", "Tagging");
        PARTS.put("acl", "Acl");
        PARTS.put("attributes", "Attributes");
        PARTS.put("legal-hold", "LegalHold");
        PARTS.put("retention", "Retention");
        PARTS.put("torrent", "Torrent");
        PARTS.put("restore", "RestoreObject");
        PARTS.put("select", "SelectContent");
        PARTS.put("location", "Location");
        PARTS.put("versioning", "Versioning");
        PARTS.put("policy", "Policy");
        PARTS.put("policyStatus", "PolicyStatus");
        PARTS.put("cors", "Cors");
        PARTS.put("lifecycle", "LifecycleConfiguration");
        PARTS.put("website", "Website");
        PARTS.put("encryption", "Encryption");
        PARTS.put("object-lock", "ObjectLockConfiguration");
        PARTS.put("requestPayment", "RequestPayment");
        PARTS.put("logging", "Logging");
        PARTS.put("notification", "NotificationConfiguration");
        PARTS.put("replication", "Replication");
        PARTS.put("ownershipControls", "OwnershipControls");
        PARTS.put("publicAccessBlock", "PublicAccessBlock");
        PARTS.put("accelerate", "AccelerateConfiguration");
        PARTS.put("analytics", "AnalyticsConfiguration");
        PARTS.put("inventory", "InventoryConfiguration");
        PARTS.put("metrics", "MetricsConfiguration");
        PARTS.put("intelligent-tiering", "IntelligentTieringConfiguration");
    }

    private Operations() {}

    /** Returns the name; {@link #OTHER} for what S3 does not have. */
    static String name(S3Call call) {
        if (call.bucket().isEmpty()) {
            return call.method().equals("GET") ? "ListBuckets" : OTHER;
        }
        String verb = switch (call.method()) {
            case "GET" -> "Get";
            case "PUT" -> "Put";
            case "DELETE" -> "Delete";
            case "HEAD" -> "Head";
            case "POST" -> "Post";
            default -> "";
        };
        boolean ofObject = !call.key().isEmpty();
        if (!verb.equals("Head") && !verb.isEmpty()) {
            for (Map.Entry<String, String> each : PARTS.entrySet()) {
                if (call.asks(each.getKey())) {
                    boolean objects = each.getValue().equals("ObjectLockConfiguration");
                    return verb + (objects ? "" : ofObject ? "Object" : "Bucket") + each.getValue();
                }
            }
        }
        return ofObject ? ofObject(call) : ofBucket(call);
    }

    private static String ofBucket(S3Call call) {
        return switch (call.method()) {
            case "GET" ->
                call.asks("uploads")
                        ? "ListMultipartUploads"
                        : call.asks("versions")
                                ? "ListObjectVersions"
                                : call.query("list-type").equals("2") ? "ListObjectsV2" : "ListObjects";
            case "PUT" -> "CreateBucket";
            case "DELETE" -> "DeleteBucket";
            case "HEAD" -> "HeadBucket";
            case "POST" -> call.asks("delete") ? "DeleteObjects" : OTHER;
            default -> OTHER;
        };
    }

    private static String ofObject(S3Call call) {
        boolean copies = call.header("x-amz-copy-source").isPresent();
        return switch (call.method()) {
            case "GET" -> call.asks("uploadId") ? "ListParts" : "GetObject";
            case "HEAD" -> "HeadObject";
            case "PUT" ->
                call.asks("uploadId") ? copies ? "UploadPartCopy" : "UploadPart" : copies ? "CopyObject" : "PutObject";
            case "DELETE" -> call.asks("uploadId") ? "AbortMultipartUpload" : "DeleteObject";
            case "POST" ->
                call.asks("uploads")
                        ? "CreateMultipartUpload"
                        : call.asks("uploadId") ? "CompleteMultipartUpload" : OTHER;
            default -> OTHER;
        };
    }

    /** Returns whether a call's body is contents, which are taken while they come. */
    static boolean takesContents(String name) {
        return name.equals("PutObject") || name.equals("UploadPart");
    }
}
