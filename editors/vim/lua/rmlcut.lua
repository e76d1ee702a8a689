-- Starts `rmlcut lsp` for the buffers that it understands.
--
-- Keys in those buffers:
--   K                 what is this name?
--   gd, gr            where is it declared, where is it used?
--   <LocalLeader>rn   another name
--   <LocalLeader>a    fixes and searches for this line
--   <LocalLeader>l    run the lens of this line: explore, prove, check

local M = {}

local function attached(buffer)
  local function map(keys, action)
    vim.keymap.set('n', keys, action, { buffer = buffer, silent = true })
  end
  map('K', vim.lsp.buf.hover)
  map('gd', vim.lsp.buf.definition)
  map('gr', vim.lsp.buf.references)
  map('<LocalLeader>rn', vim.lsp.buf.rename)
  map('<LocalLeader>a', vim.lsp.buf.code_action)
  map('<LocalLeader>l', vim.lsp.codelens.run)
  vim.api.nvim_create_autocmd({ 'BufEnter', 'CursorHold', 'InsertLeave' }, {
    buffer = buffer,
    callback = function() vim.lsp.codelens.refresh() end,
  })
end

-- Where Neovim has no `vim.lsp.start` (before 0.8), the one server that serves all buffers.
local client

local function configuration()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  capabilities.workspace.codeLens = { refreshSupport = true }
  return {
    name = 'rmlcut',
    cmd = { vim.g.rmlcut_path or 'rmlcut', 'lsp' },
    capabilities = capabilities,
    handlers = {
      -- The server asks for this when a search has begun or ended.
      ['workspace/codeLens/refresh'] = function()
        vim.lsp.codelens.refresh()
        return vim.NIL
      end,
    },
    on_attach = function(_, buffer) attached(buffer) end,
    on_exit = function() client = nil end,
  }
end

local function serve(buffer)
  if vim.lsp.start then
    vim.lsp.start(configuration(), { bufnr = buffer })
    return
  end
  client = client or vim.lsp.start_client(configuration())
  if client then
    vim.lsp.buf_attach_client(buffer, client)
  end
end

function M.setup()
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
    pattern = { '*.rml', '*.cut', '*.mer', '*.ch', '*.ivy', '*.pyv' },
    callback = function(event)
      if vim.fn.executable(vim.g.rmlcut_path or 'rmlcut') == 0 then
        vim.notify_once('rmlcut is not in PATH: set g:rmlcut_path', vim.log.levels.WARN)
        return
      end
      serve(event.buf)
    end,
  })
end

return M
