/** The gateway's live page: the cluster's work now and since the gateway's start, by server-sent events. */
@NullMarked
package io.lambdafs.platform.local.dashboard;

import org.jspecify.annotations.NullMarked;
