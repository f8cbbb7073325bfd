package io.lambdafs.door.hdfs.web;

import static org.apache.hadoop.hdfs.web.JsonUtil.toJsonString;

import io.lambdafs.door.hdfs.calls.Contents;
import io.lambdafs.door.hdfs.calls.ListCalls;
import io.lambdafs.door.hdfs.calls.NameCalls;
import io.lambdafs.door.hdfs.calls.StateCalls;
import io.lambdafs.rpc.http.HttpReply;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.web.resources.FsActionParam;
import org.apache.hadoop.hdfs.web.resources.LengthParam;
import org.apache.hadoop.hdfs.web.resources.OffsetParam;
import org.apache.hadoop.hdfs.web.resources.OldSnapshotNameParam;
import org.apache.hadoop.hdfs.web.resources.SnapshotNameParam;
import org.apache.hadoop.hdfs.web.resources.StartAfterParam;
import org.apache.hadoop.hdfs.web.resources.XAttrEncodingParam;
import org.apache.hadoop.hdfs.web.resources.XAttrNameParam;

/** Answers calls of the REST API that look. Thread-safe. */
final class WebReads {
    private static final byte[] FROM_THE_FIRST = new byte[0];
    /** Longest answer to a listing that is not asked for by page. */
    private static final int MOST_ENTRIES = 100_000;

    private final NameCalls names;
    private final ListCalls lists;
    private final StateCalls state;
    private final Contents contents;

    WebReads(NameCalls names, ListCalls lists, StateCalls state, Contents contents) {
        this.names = names;
        this.lists = lists;
        this.state = state;
        this.contents = contents;
    }

    HttpReply answer(WebCall call) throws IOException {
        String path = call.path();
        return switch (call.operation()) {
            case "GET GETFILESTATUS", "GET GETFILELINKSTATUS" -> WebReplies.json(toJsonString(status(path), true));
            case "GET LISTSTATUS" -> WebReplies.json(list(path));
            case "GET LISTSTATUS_BATCH" ->
                WebReplies.json(toJsonString(
                        page(path, call.get(StartAfterParam.NAME, "").getBytes(StandardCharsets.UTF_8))));
            case "GET GETCONTENTSUMMARY" -> WebReplies.json(toJsonString(lists.getContentSummary(path)));
            case "GET GETQUOTAUSAGE" -> WebReplies.json(toJsonString(lists.getQuotaUsage(path)));
            case "GET GETFILECHECKSUM" -> WebReplies.json(toJsonString(contents.checksum(path)));
            case "GET GETFILEBLOCKLOCATIONS" ->
                WebReplies.json(toJsonString(contents.locations(
                        path, call.number(OffsetParam.NAME, 0), call.number(LengthParam.NAME, Long.MAX_VALUE))));
            case "GET GETHOMEDIRECTORY" -> WebReplies.json(toJsonString("Path", "/user/" + call.user()));
            case "GET GETTRASHROOT" -> WebReplies.json(toJsonString("Path", "/user/" + call.user() + "/.Trash"));
            case "GET GETACLSTATUS" -> WebReplies.json(toJsonString(names.getAclStatus(path)));
            case "GET GETXATTRS" -> WebReplies.json(attributes(call));
            case "GET LISTXATTRS" -> WebReplies.json(toJsonString(names.listXAttrs(path)));
            case "GET CHECKACCESS" -> {
                names.checkAccess(
                        path,
                        FsAction.getFsAction(
                                new FsActionParam(call.get(FsActionParam.NAME, FsActionParam.DEFAULT)).getValue()));
                yield WebReplies.done();
            }
            case "GET GETDELEGATIONTOKEN" -> WebReplies.json("{\"Token\":null}");
            case "GET GETSTORAGEPOLICY" -> WebReplies.json(toJsonString(state.getStoragePolicy(path)));
            case "GET GETALLSTORAGEPOLICY" -> WebReplies.json(toJsonString(state.getStoragePolicies()));
            case "GET GETSERVERDEFAULTS" -> WebReplies.json(toJsonString(state.getServerDefaults()));
            case "GET GETSNAPSHOTDIFF" ->
                WebReplies.json(toJsonString(names.getSnapshotDiffReport(
                        path, call.get(OldSnapshotNameParam.NAME, ""), call.get(SnapshotNameParam.NAME, ""))));
            case "GET GETSTATUS" -> WebReplies.json(toJsonString(room()));
            default -> throw new UnsupportedOperationException(call.operation() + " is not a thing that λFS does");
        };
    }

    private HdfsFileStatus status(String path) throws IOException {
        HdfsFileStatus found = lists.getFileInfo(path);
        if (found == null) {
            throw new FileNotFoundException("File does not exist: " + path);
        }
        return found;
    }

    private DirectoryListing page(String path, byte[] after) throws IOException {
        DirectoryListing page = lists.getListing(path, after, false);
        if (page == null) {
            throw new FileNotFoundException("File " + path + " does not exist.");
        }
        return page;
    }

    private String list(String path) throws IOException {
        StringBuilder text = new StringBuilder("{\"FileStatuses\":{\"FileStatus\":[");
        int entries = 0;
        byte[] after = FROM_THE_FIRST;
        boolean more = true;
        while (more) {
            DirectoryListing page = page(path, after);
            for (HdfsFileStatus each : page.getPartialListing()) {
                text.append(entries++ == 0 ? "" : ",").append(toJsonString(each, false));
            }
            if (entries > MOST_ENTRIES) {
                throw new IOException(path + " has more than " + MOST_ENTRIES
                        + " entries: ask for them by page, with LISTSTATUS_BATCH");
            }
            more = page.hasMore() && page.getPartialListing().length > 0;
            after = more ? page.getLastName() : after;
        }
        return text.append("]}}").toString();
    }

    private String attributes(WebCall call) throws IOException {
        List<XAttr> wanted = Arrays.stream(call.get(XAttrNameParam.NAME, "").split(",", -1))
                .filter(name -> !name.isEmpty())
                .map(XAttrHelper::buildXAttr)
                .toList();
        XAttrEncodingParam encoding =
                new XAttrEncodingParam(call.get(XAttrEncodingParam.NAME, XAttrEncodingParam.DEFAULT));
        return toJsonString(names.getXAttrs(call.path(), wanted), encoding.getEncoding());
    }

    private FsStatus room() {
        long[] stats = state.getStats();
        return new FsStatus(
                stats[ClientProtocol.GET_STATS_CAPACITY_IDX],
                stats[ClientProtocol.GET_STATS_USED_IDX],
                stats[ClientProtocol.GET_STATS_REMAINING_IDX]);
    }
}
