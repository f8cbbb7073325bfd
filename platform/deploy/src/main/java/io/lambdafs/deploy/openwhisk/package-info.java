/** Apache OpenWhisk, and what speaks its REST API: λFS's own gateway too. */
@NullMarked
package io.lambdafs.deploy.openwhisk;

import org.jspecify.annotations.NullMarked;
